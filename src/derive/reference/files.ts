// The files of the reference: Markdown for docs/reference/.

import { markdownFile, markdownPage } from './markdown.ts';
import { type ReferencePage, referencePages, type Sources, type Writing } from './pages.ts';
import { spanFinder } from './spans.ts';

/** Every file of the reference, by its path below docs/reference/. The same sources give the same files. Throws for a page that links to one which isn't there. */
export function referenceFiles(sources: Sources): ReadonlyMap<string, string> {
  const pages = referencePages(sources);
  const byWords = new Map(pages.map((page) => [page.words.join(' '), page]));
  const writing: Writing = {
    spans: spanFinder(pages.map(({ words }) => words)),
    pageOf: (words) => pageOf(byWords, words),
  };
  return new Map(pages.map((page) => [markdownFile(page), markdownPage(page, writing)]));
}

function pageOf(pages: ReadonlyMap<string, ReferencePage>, words: readonly string[]): ReferencePage {
  const page = pages.get(words.join(' '));
  if (page === undefined) throw new Error(`no page for ${words.join(' ')}`);
  return page;
}
