// `crm <family> import FILE`: the result of an import, of its preview or of a saved mapping.

import type { Input } from '../base/flag.ts';
import { quoteWord } from '../base/values/text/shell-word.ts';
import { firstOf, howMany } from '../base/values/text/wording.ts';
import type { ImportFlags } from '../changes/flags.ts';
import type { Resource } from '../model/define.ts';
import { type PreviewRow, type Result, shapeless } from '../output/result.ts';
import type { Context } from '../session/context.ts';
import { importCommandLine, inMapping } from './command-line.ts';
import { type PreviewEnd, previewImport, runImport } from './import.ts';
import { summaryText } from './outcomes/report.ts';
import { Preview, previewText } from './preview/preview.ts';
import type { ImportRequest } from './request.ts';
import { type ImportOptions, importRequest } from './request-of-flags.ts';

/** Imports a file of records. Only lists the changes under --dry-run, and only writes the mapping file under --save-mapping. */
export async function importFile(resource: Resource, context: Context, input: Input<ImportFlags>, typed: ImportOptions): Promise<Result> {
  const request = await importRequest(resource, context, input, typed);
  const mapping = input.flags['save-mapping'];
  if (typeof mapping === 'string') return savedMapping(context, input, request, { path: mapping, known: typed.known });
  return context.flags.dryRun ? previewed(context, request) : carriedOut(context, request);
}

async function carriedOut(context: Context, request: ImportRequest): Promise<Result> {
  try {
    const ended = await runImport(context, request);
    const { summary, problem, isTold, idleSince } = ended;
    const sentence = isTold ? '' : summaryText(request, ended);
    return {
      kind: 'rows',
      data: summary,
      shape: shapeless,
      drawn: { sentence },
      ...(idleSince === undefined ? {} : { notice: sentence }),
      ...(problem === undefined ? {} : { problem }),
    };
  } finally {
    await request.source.close();
  }
}

async function previewed(context: Context, request: ImportRequest): Promise<Result> {
  const preview = new Preview(request.job);
  let ended: PreviewEnd | undefined;
  const rows = async function* (): AsyncGenerator<readonly PreviewRow[]> {
    try {
      ended = yield* previewImport(context, request, preview);
    } finally {
      await request.source.close();
    }
  };
  return {
    kind: 'preview',
    rows: rows(),
    onlyCreates: request.job.mode === 'create',
    end: async () => {
      await ended?.tell();
      return {
        counts: { ...preview.counts },
        sentence: previewText(request.job.resource, preview),
        ...(ended?.problem === undefined ? {} : { problem: ended.problem }),
      };
    },
  };
}

/** The most blanks of a mapping that are listed. */
const mostBlanks = 20;

/** Writes the mapping file, and says how to use it. */
async function savedMapping(
  context: Context,
  { args, flags }: Input<ImportFlags>,
  request: ImportRequest,
  { path, known }: { readonly path: string; readonly known: readonly string[] },
): Promise<Result> {
  const { saveMapping } = await import('./mapping/write.ts');
  const { left, ...saved } = await saveMapping(context, request, path).finally(() => request.source.close());
  const next = `${importCommandLine(request.job.resource, args[0] ?? '', { flags, known }, inMapping)} --mapping ${quoteWord(path, 'FILE')}`;
  const unfilled = saved.blanks === 0 ? '' : ` Fill in ${howMany(saved.blanks, 'blank')}: ${firstOf(left, mostBlanks)}.`;
  const guessed =
    saved.guessed === 0 ? '' : ` ${howMany(saved.guessed, 'column is a guess: look at it', 'columns are guesses: look at them')}.`;
  const sentence = `${path} is written; nothing was sent.${unfilled}${guessed} Then: ${next}`;
  return { kind: 'rows', data: saved, shape: shapeless, drawn: { sentence }, notice: sentence };
}
