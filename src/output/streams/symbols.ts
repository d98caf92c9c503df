// The signs that crm draws beside texts, with ASCII signs for a locale that has no others (LANG=C). Texts of the service stay unchanged.

export interface Symbols {
  readonly done: string;
  readonly failed: string;
  readonly warning: string;
  /** In front of a status, in its colour. */
  readonly dot: string;
  /** In front of a record that is over, such as an archived lead. */
  readonly past: string;
  /** In front of the marked one of a list. */
  readonly pointer: string;
  /** Between an old value and a new one. */
  readonly arrow: string;
  /** Marks a cut text. One column wide. */
  readonly ellipsis: string;
  readonly rule: string;
  /** Between facts on one line. */
  readonly between: string;
  /** Between the ends of a range: `26–50`. */
  readonly upTo: string;
  /** The pieces of a bar, in ascending width; the last is a whole column. */
  readonly bar: readonly string[];
  /** The frames of the spinner, each one column wide. */
  readonly spinner: readonly string[];
  /** The columns of a progress bar: done and left. */
  readonly track: { readonly done: string; readonly left: string };
}

const unicode: Symbols = {
  done: '✓',
  failed: '✗',
  warning: '!',
  dot: '●',
  past: '○',
  pointer: '❯',
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
  pointer: '>',
  arrow: '->',
  ellipsis: '~',
  rule: '-',
  between: '-',
  upTo: '-',
  bar: ['#'],
  spinner: ['-', '\\', '|', '/'],
  track: { done: '#', left: '-' },
};

/** The signs for an environment: ASCII for the locales C and POSIX and for a dumb terminal. */
export function symbolsFor(env: Readonly<Record<string, string | undefined>>): Symbols {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((one) => one !== undefined && one !== '');
  return env.TERM === 'dumb' || /^(C|POSIX)$/.test(locale ?? '') ? ascii : unicode;
}
