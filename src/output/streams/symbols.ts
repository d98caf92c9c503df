// The signs that crm itself draws beside texts. In a locale that has none but ASCII (LANG=C) plain ones stand in for them; what the
// service says is left as it is.

export interface Symbols {
  readonly done: string;
  readonly failed: string;
  readonly warning: string;
  /** In front of a status, in its colour. */
  readonly dot: string;
  /** In front of what is over: an archived lead. */
  readonly past: string;
  /** From an old value to a new one. */
  readonly arrow: string;
  /** What was cut off. One column. */
  readonly ellipsis: string;
  readonly rule: string;
  /** Between facts on one line. */
  readonly between: string;
  /** From the first to the last of several: `26–50`. */
  readonly upTo: string;
  /** A bar's pieces, from one eighth of a column (where there are such) to a whole one. */
  readonly bar: readonly string[];
  /** What turns while something is awaited, each one column wide. */
  readonly spinner: readonly string[];
  /** How far a run has come: a column that is done, and one that isn't. */
  readonly track: { readonly done: string; readonly left: string };
}

const unicode: Symbols = {
  done: '✓',
  failed: '✗',
  warning: '!',
  dot: '●',
  past: '○',
  arrow: '→',
  ellipsis: '…',
  rule: '─',
  between: '·',
  upTo: '–',
  bar: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  track: { done: '━', left: '─' },
};

const ascii: Symbols = {
  done: '+',
  failed: 'x',
  warning: '!',
  dot: '*',
  past: 'o',
  arrow: '->',
  ellipsis: '~',
  rule: '-',
  between: '-',
  upTo: '-',
  bar: ['#'],
  spinner: ['-', '\\', '|', '/'],
  track: { done: '#', left: '-' },
};

/** The signs for a terminal in this environment: plain ones where its locale is named and is C or POSIX, and on a dumb terminal. */
export function symbolsFor(env: Readonly<Record<string, string | undefined>>): Symbols {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((one) => one !== undefined && one !== '');
  return env.TERM === 'dumb' || /^(C|POSIX)$/.test(locale ?? '') ? ascii : unicode;
}
