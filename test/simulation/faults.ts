// Faults that are planted in the program one at a time, as somebody might make them: what the stories are worth is that they find them.

import type { Planted } from './stage.ts';

export const faults: readonly Planted[] = [
  {
    name: 'the mark before a request is forgotten',
    file: 'runs/runner.ts',
    right: '      this.#journal.sent(step.n, sent);\n',
    wrong: '',
    what: /^(made twice|nothing to resume)$/,
    title: 'an import of what is new',
  },
  {
    name: 'what was changed since the file was written is not compared',
    file: 'import/steps.ts',
    right: 'updated !== undefined && isLater(updated, changed) ? updated : undefined',
    wrong: 'undefined',
    what: /^wrote over what is newer than the file$/,
    title: 'an import of changes',
  },
  {
    name: 'what is read after an answer counts as what the run left',
    file: 'verbs/change-run.ts',
    right: 'after !== answer?.data && change.shows(after, sent) === false',
    wrong: 'false',
    what: /^not as a colleague left it/,
    title: 'writes and their undo',
  },
  {
    name: 'how a record looks that no list told of counts as how it was made',
    file: 'seed/standing.ts',
    right: 'updated !== undefined && updated === created',
    wrong: 'true',
    what: /^deleted what a colleague had changed$/,
    title: 'writes and their undo',
  },
];
