// The limits of the program. Code, messages and help take the numbers from this table.

const mebibyte = 1024 * 1024;

export const limits = {
  /** Records on one page of a list (interface: Limits). */
  page: 100,
  /** Records of a list. For a longer list, the command says how many records it reads. */
  longList: 1000,
  /** Records that jq gets as one document. jq's memory has room for slightly more leads. */
  jqRecords: 40_000,
  /** Bytes of memory that jq has, by the package's own limit. */
  jqMemory: 256 * mebibyte,
  /** Bytes of a JSON array that is imported. */
  jsonArray: 64 * mebibyte,
  /** Bytes of a row or record of an imported file. */
  row: 16 * mebibyte,
  /** Bytes of a file that stays in memory during an import. */
  keptFile: 16 * mebibyte,
  /** Bytes that a workbook may unpack to. A million rows of 25 columns take about 1 GiB. */
  workbook: 2048 * mebibyte,
  /** Bytes of a text, attribute or comment in a workbook; a cell has 32,767 characters at most. */
  workbookText: mebibyte,
  /** Records of a family that are compared with a snapshot: each record's digest is held in memory. */
  compared: 500_000,
  /** Records of a seed file. */
  seeded: 200_000,
  /** Bytes of a text file that is read whole. */
  text: 16 * mebibyte,
  /** Bytes of an answer of the service. */
  answer: 64 * mebibyte,
} as const;

/** `64 MiB`, `2 GiB` */
export const sizeText = (bytes: number): string => (bytes < 1024 * mebibyte ? `${bytes / mebibyte} MiB` : `${bytes / mebibyte / 1024} GiB`);

/** A whole number with commas: `40,000`. Does without Intl, which takes 12 ms to load. */
export const inThousands = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** The limits in help topics, by the name that a topic uses. */
export const limitsInWords: Readonly<Record<string, string>> = {
  jqMemory: sizeText(limits.jqMemory),
  jqRecords: inThousands(limits.jqRecords),
  jsonArray: sizeText(limits.jsonArray),
};
