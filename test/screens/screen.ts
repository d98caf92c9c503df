// What a golden screen is. They are declared in declared/, one file for each part of the program.

/** A command on a terminal, and what is seen of it. */
export interface Screen {
  /** Also the name of its golden files. Kebab-case, and no other screen's. */
  readonly name: string;
  /** Shell lines that call `crm`. Each is shown behind `$ `, as if it had been typed. */
  readonly lines: readonly string[];
  /** What stands before each line; `$` unless said. */
  readonly prompt?: string;
  /** Columns; 80, 120 and 200 unless said. */
  readonly widths?: readonly number[];
  /** Rows; 50 unless said. Nothing may scroll away, and what is longer than the screen goes through the pager. */
  readonly height?: number;
  /** Variables, such as NO_COLOR, LANG, TERM or EDITOR. */
  readonly env?: Readonly<Record<string, string>>;
  /** Shell lines that run before, unseen. Each screen has the demo data for itself, so that they may change it. */
  readonly before?: readonly string[];
  /** Files in the folder where the lines run, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Keys to press, in tmux's names (`Enter`, `C-c`, `Down`), each time once the screen shows something. */
  readonly keys?: readonly { readonly at: RegExp; readonly press: readonly string[] }[];
  /** What the settled screen shows, where the lines don't come to an end: a question, a pager. */
  readonly until?: RegExp;
}
