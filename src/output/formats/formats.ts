// The formats: which writer makes which format of records, and the text of a document. Formats that few people ask for load on demand.

import type { DocumentFormat, Format, GlobalFlags } from '../../base/global-flags.ts';
import type { Chart, Shape } from '../result.ts';
import type { Io } from '../streams/io.ts';
import { csvWriter } from './csv.ts';
import { idsWriter } from './ids.ts';
import { envelopeWriter, jsonDocument, jsonWriter, ndjsonWriter } from './json.ts';
import type { RecordWriter } from './writer.ts';

/** How a result is shown. `format`: the user's choice, else the command's own. */
export interface ResultView {
  readonly io: Io;
  readonly flags: GlobalFlags;
  readonly format: Format;
  readonly shape: Shape;
  readonly now: Date;
  /** Told how many records the result shows. */
  readonly count: ((records: number, shape: Shape) => void) | undefined;
  /** See WriterOptions. */
  readonly askedFor?: readonly string[];
  /** Nothing was changed: a wrong name in --fields is an error, not a warning. */
  readonly isRead: boolean;
  /** See HtmlOptions. */
  readonly place: string | undefined;
  readonly chart?: Chart;
}

/** The writer of records in the format of a result. `sparse`: columns without values are left out. */
export async function formatWriter(view: ResultView, sparse: boolean): Promise<RecordWriter> {
  switch (view.format) {
    case 'json':
      return view.flags.envelope ? envelopeWriter(view) : jsonWriter(view, view.flags.jq !== undefined && view.isRead);
    case 'ndjson':
      return ndjsonWriter(view);
    case 'csv':
      return csvWriter(view);
    case 'ids':
      return idsWriter(view, view.isRead);
    case 'yaml':
      return (await import('./yaml.ts')).yamlWriter(view);
    case 'xlsx':
      return (await import('./xlsx.ts')).xlsxWriter(view);
    case 'markdown':
      return (await import('./markdown.ts')).markdownWriter(view, sparse);
    case 'html':
      return (await import('./html.ts')).htmlWriter(view, sparse);
    case 'table':
      if (view.shape.sections !== undefined) return (await import('../tables/record-view.ts')).recordsWriter(view);
      return (await import('../tables/table.ts')).tableWriter(view, sparse);
  }
}

/** The text of a single value as a document. */
export async function documentText(format: DocumentFormat, value: unknown): Promise<string> {
  switch (format) {
    case 'json':
      return jsonDocument(value);
    case 'yaml':
      return (await import('./yaml.ts')).yamlDocument(value);
  }
}
