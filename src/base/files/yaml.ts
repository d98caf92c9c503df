// Parses YAML texts for the readers of mappings, seeds and edited records: faults with their lines, and the value of a text.

import type { Document } from 'yaml';
import { UsageError } from '../errors.ts';
import { asSentence } from '../values/text/wording.ts';

/** Parses a YAML text. `faults`: the parser's complaints; later ones mostly follow from the first. Lines count from 1. */
export async function parseYaml(text: string, options: Parameters<typeof import('yaml')['parseDocument']>[1] & object) {
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document: Document = parseDocument(text, { ...options, lineCounter, prettyErrors: false });
  const lineAt = (offset = 0): number => lineCounter.linePos(offset).line;
  return { document, lineAt, faults: document.errors.map((fault) => ({ line: lineAt(fault.pos[0]), text: faultText(fault) })) };
}

function faultText({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'MULTIPLE_DOCS') return 'A second document begins here: a file holds one.';
  if (message.startsWith('Maximum call stack')) return tooDeep;
  return asSentence(message);
}

const tooDeep = 'It is nested too deeply.';

/**
 * The value of a document. `shown`: the file's name in messages. `instead`: what to do in place of an alias that is used too often. Throws
 * UsageError.
 */
export function yamlValue(document: Document, shown: string, instead: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${shown}: ${tooDeep}`);
    const message = error instanceof Error ? error.message : String(error);
    const isMuch = message.startsWith('Excessive alias count');
    throw new UsageError(`${shown}: ${isMuch ? `One alias is used more than 99 times. ${instead}` : asSentence(message)}`);
  }
}
