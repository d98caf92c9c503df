// Request bodies as the program handles them: wire names to values that have not been encoded yet.

/** Ids and integers are numbers; texts, dates and decimals are strings, so that no digit is lost. */
export type BodyValue = string | number | readonly string[] | readonly number[];

/** Wire name to value, in the order in which they are sent. */
export type Body = Map<string, BodyValue>;
