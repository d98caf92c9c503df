// The limits of the program. Code, messages and help take the numbers from this table.

const mebibyte = 1024 * 1024;

export const limits = {
  /** Records on one page of a list (interface: Limits). */
  page: 100,
  /** Records of a list. For a longer list, the command says how many records it reads. */
  longList: 1000,
  /** Records of a family that a search looks through itself: ten pages. */
  searched: 1000,
  /** Records that jq gets as one document. jq's memory has room for slightly more leads. */
  jqRecords: 40_000,
  /** Records of a list that crm sorts itself. */
  sorted: 100_000,
  /** Bytes of memory that jq has, by the package's own limit. */
  jqMemory: 256 * mebibyte,
  /** Bytes of a JSON array that is imported. */
  jsonArray: 64 * mebibyte,
  /** Bytes of a row or record of an imported file. */
  row: 16 * mebibyte,
  /** Bytes of a file that stays in memory during an import. */
  fileInMemory: 16 * mebibyte,
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

/** When a request is sent again, in milliseconds. Requests, notices and help take the numbers from this table. */
export const waits = {
  /** The first pause after a 429 without Retry-After, and the longest one. Each pause is twice as long as the one before. */
  refusal: { first: 1000, longest: 60_000 },
  /** The first and the longest pause after another passing failure. */
  failure: { first: 250, longest: 10_000 },
  /** While writes are refused, a write leaves this long after the read before it. */
  behindRead: 1000,
  /** The longest Retry-After that a command for one record waits for. */
  one: 60_000,
  /** The longest Retry-After, and the longest refusal, that a run or a whole list waits for. */
  many: 3_600_000,
  /** A run or a whole list ends when the service refused it for this long without asking for more. */
  refused: 600_000,
  /** A run or a whole list ends when no connection was made for this long to a service that answered before. */
  unreached: 60_000,
  /** A pause of this length is told. */
  told: 2000,
} as const;

/** Milliseconds that a run waits for another run on the same service and data folder, without --wait. */
export const usualLockWait = 60_000;

/** The requests at once of a run, without --concurrency. */
export const usualConcurrency = 4;

/** The further tries without --retries. */
export const usualRetries = 3;

/** Milliseconds in one unit, rounded up: `60 s`, `10 min`, `1 h`. */
export function spanText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200 && seconds % 3600 !== 0) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3600)} h`;
}

/** `64 MiB`, `2 GiB` */
export const sizeText = (bytes: number): string => (bytes < 1024 * mebibyte ? `${bytes / mebibyte} MiB` : `${bytes / mebibyte / 1024} GiB`);

/** A whole number with commas: `40,000`. Does without Intl, which takes 12 ms to load. */
export const inThousands = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** The limits in help topics, by the name that a topic uses. */
export const limitsInWords: Readonly<Record<string, string>> = {
  jqMemory: sizeText(limits.jqMemory),
  jqRecords: inThousands(limits.jqRecords),
  jsonArray: sizeText(limits.jsonArray),
  retries: String(usualRetries),
  lockWait: spanText(usualLockWait),
  waitOfOne: spanText(waits.one),
  waitOfMany: spanText(waits.many),
  waitRefused: spanText(waits.refused),
  waitUnreached: spanText(waits.unreached),
};
