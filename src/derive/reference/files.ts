// The files of the reference: Markdown for docs/reference/ and manual pages for docs/man/.

import { manFile, manPage } from './man.ts';
import { markdownFile, markdownPage } from './markdown.ts';
import { type ReferencePage, referencePages, type Sources, type Writing } from './pages.ts';
import { spanFinder } from './spans.ts';

export interface ReferenceFiles {
  /** Texts by path below docs/reference/. */
  readonly markdown: ReadonlyMap<string, string>;
  /** Texts by name in docs/man/. */
  readonly man: ReadonlyMap<string, string>;
}

/** Every file of the reference. The same sources give the same files. Throws for a page that links to one which isn't there. */
export function referenceFiles(sources: Sources, version: string): ReferenceFiles {
  const pages = referencePages(sources);
  const byWords = new Map(pages.map((page) => [page.words.join(' '), page]));
  const writing: Writing = {
    spans: spanFinder(pages.map(({ words }) => words)),
    pageOf: (words) => pageOf(byWords, words),
  };
  return {
    markdown: new Map(pages.map((page) => [markdownFile(page), markdownPage(page, writing)])),
    man: new Map(pages.map((page) => [manFile(page), manPage(page, writing, version)])),
  };
}

function pageOf(pages: ReadonlyMap<string, ReferencePage>, words: readonly string[]): ReferencePage {
  const page = pages.get(words.join(' '));
  if (page === undefined) throw new Error(`no page for ${words.join(' ')}`);
  return page;
}
