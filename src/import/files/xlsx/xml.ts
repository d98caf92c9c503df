// Streams the XML of a workbook's parts: elements by local name, with the text directly in them.

import sax from 'sax';
import { limits, sizeText } from '../../../base/limits.ts';
import { markedEncoding, strictDecoder } from '../encodings.ts';

/** An error of the workbook itself. */
export class Damaged extends Error {}

export type Attributes = Readonly<Record<string, string>>;

interface Elements {
  open?(name: string, attributes: Attributes): void;
  /** `text`: the text since the last tag. Text around child elements is layout. */
  close?(name: string, text: string): void;
}

/** The deepest nesting of elements. */
const deepest = 100;

/** Joins two parts of a text. Throws Damaged for a text that is too long. */
export function joinedText(text: string, more: string): string {
  if (text.length + more.length > limits.workbookText) throw tooLong();
  return text + more;
}

const tooLong = (): Damaged => new Damaged(`a text, an attribute or a comment in it is longer than ${sizeText(limits.workbookText)}`);

/** Reads a part, and yields after every chunk. Throws Damaged. */
export async function* readXml(bytes: AsyncIterable<Uint8Array>, elements: Elements): AsyncGenerator<void> {
  const parser = sax.parser(true, { position: false });
  let depth = 0;
  let text = '';
  /** Bytes since the last tag. */
  let pending = 0;
  const addText = (more: string): void => {
    text = joinedText(text, more);
  };
  parser.onerror = (error) => {
    throw new Damaged(`its XML is wrong: ${error.message.split('\n', 1)[0]}`);
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onopentag = ({ name, attributes }) => {
    pending = 0;
    depth += 1;
    if (depth > deepest) throw new Damaged('its XML is nested too deeply');
    text = '';
    // Without namespaces, sax gives attributes as texts.
    elements.open?.(localName(name), attributes as Attributes);
  };
  parser.onclosetag = (name) => {
    pending = 0;
    depth -= 1;
    elements.close?.(localName(name), text);
    text = '';
  };
  let decoded = strictDecoder('utf-8', () => new Damaged('its XML is not UTF-8'));
  let isBegun = false;
  for await (const chunk of bytes) {
    // XML may be UTF-16, with a byte order mark.
    const marked = isBegun ? undefined : markedEncoding(chunk);
    isBegun = true;
    if (marked !== undefined && marked !== 'utf-32') decoded = strictDecoder(marked, () => new Damaged(`its XML is not ${marked}`));
    pending += chunk.length;
    if (pending > limits.workbookText) throw tooLong();
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

/** An attribute by local name, with any prefix: `r:id`. */
export function foreignAttribute(attributes: Attributes, name: string): string | undefined {
  const found = Object.keys(attributes).find((one) => one.includes(':') && localName(one) === name);
  return found === undefined ? undefined : attributes[found];
}
