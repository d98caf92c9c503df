// Types of a request body before it is encoded.

/** Ids and integers are numbers; texts, dates and decimals are strings, so that no digit is lost. */
export type BodyValue = string | number | readonly string[] | readonly number[];

/** Values by wire name, in the order in which they are sent. */
export type Body = Map<string, BodyValue>;
