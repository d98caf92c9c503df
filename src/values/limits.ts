// How much fits: one table for what keeps to a limit, the message that names it, and the help that tells of it.

const mebibyte = 1024 * 1024;

export const limits = {
  /** Records on one page of a list (interface: Limits). */
  page: 100,
  /** A list of more records than this says how many it reads. */
  longList: 1000,
  /** Records that jq gets as one document. Its memory, that of the package, holds some more leads than this. */
  jqRecords: 40_000,
  /** Bytes of memory that jq has: the package's own bound. */
  jqMemory: 256 * mebibyte,
  /** Bytes of a JSON array that is imported. */
  jsonArray: 64 * mebibyte,
  /** Bytes of a row of a file. */
  row: 16 * mebibyte,
  /** Bytes of a text that is read from a file as a whole. */
  text: 16 * mebibyte,
  /** Bytes of an answer of the service. */
  answer: 64 * mebibyte,
} as const;

/** `64 MiB` */
export const inMebibytes = (bytes: number): string => `${bytes / mebibyte} MiB`;

/** A whole number with commas, such as `40,000`. Without Intl, which takes 12 ms to begin. */
export const inThousands = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** The limits that help topics name. */
export const limitsInWords: Readonly<Record<string, string>> = {
  jqMemory: inMebibytes(limits.jqMemory),
  jqRecords: inThousands(limits.jqRecords),
  jsonArray: inMebibytes(limits.jsonArray),
};
