// The XML of a workbook's parts, read as it comes: elements by their local names, and the text directly in them.

import sax from 'sax';

/** What is wrong with the workbook itself. */
export class Damaged extends Error {}

export type Attributes = Readonly<Record<string, string>>;

interface Elements {
  open?(name: string, attributes: Attributes): void;
  /**
   * `text`: what stood in the element since the last tag; what elements around elements hold is layout.
   */
  close?(name: string, text: string): void;
}

/** No part of a workbook is nested deeper. */
const deepest = 100;

const mebibyte = 1024 * 1024;

/**
 * A text, an attribute or a comment may take as many bytes; a cell has 32,767 characters at most. The parser holds each until its end, and
 * takes many times the memory for it.
 */
const longestText = mebibyte;

/** Two parts of a text as one. Throws Damaged for one that no cell can hold. */
export function joined(text: string, more: string): string {
  if (text.length + more.length > longestText) throw tooLong();
  return text + more;
}

const tooLong = (): Damaged => new Damaged(`a text, an attribute or a comment in it is longer than ${longestText / mebibyte} MiB`);

/** Reads a part; yields after every chunk. Throws Damaged. */
export async function* readXml(bytes: AsyncIterable<Uint8Array>, elements: Elements): AsyncGenerator<void> {
  const parser = sax.parser(true, { position: false });
  let depth = 0;
  let text = '';
  /** Bytes since an element began or ended. */
  let pending = 0;
  const add = (more: string): void => {
    text = joined(text, more);
  };
  parser.onerror = (error) => {
    throw new Damaged(`its XML is wrong: ${error.message.split('\n', 1)[0]}`);
  };
  parser.ontext = add;
  parser.oncdata = add;
  parser.onopentag = ({ name, attributes }) => {
    pending = 0;
    depth += 1;
    if (depth > deepest) throw new Damaged('its XML is nested too deeply');
    text = '';
    // Without namespaces, attributes are texts.
    elements.open?.(localName(name), attributes as Attributes);
  };
  parser.onclosetag = (name) => {
    pending = 0;
    depth -= 1;
    elements.close?.(localName(name), text);
    text = '';
  };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new Damaged('its XML is not UTF-8');
    }
  };
  for await (const chunk of bytes) {
    pending += chunk.length;
    if (pending > longestText) throw tooLong();
    parser.write(decoded(chunk));
    yield;
  }
  parser.write(decoded()).close();
  yield;
}

/** Reads a part to its end. Throws Damaged. */
export async function readWholeXml(bytes: AsyncIterable<Uint8Array>, elements: Elements): Promise<void> {
  for await (const _ of readXml(bytes, elements));
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute of another namespace, whatever its prefix: `r:id`. */
export function foreignAttribute(attributes: Attributes, name: string): string | undefined {
  const found = Object.keys(attributes).find((one) => one.includes(':') && localName(one) === name);
  return found === undefined ? undefined : attributes[found];
}
