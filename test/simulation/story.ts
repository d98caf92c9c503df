// A story of a simulation: what is typed, what befalls it, and what must be true at its end, all drawn from one number.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeIo } from '../support/fake-io.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { changeFile } from './change-files.ts';
import { emptyDatabases } from './databases.ts';
import { recordsInEditor } from './edits.ts';
import { leadsMerged } from './merges.ts';
import type { Program } from './program.ts';
import { kindRefused, requestsSpaced } from './refusals.ts';
import { givenByRule, habits, type Kept, type Sent, Service, type Traits, type Wrong } from './service.ts';
import { changesAndUndos, writesAndUndos } from './undos.ts';
import { type Life, Stuck, World } from './world.ts';

/** How a command ended; undefined: it was killed. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Told {
  readonly seed: number;
  readonly title: Title;
  /** What must never happen, and happened. */
  readonly wrongs: readonly Wrong[];
  readonly log: readonly string[];
  /** What a person was asked to decide, by what made it hard to tell. */
  readonly questions: readonly Wrong[];
  /** What befell the program, and how often. */
  readonly befell: ReadonlyMap<string, number>;
}

/** Where a story takes place. */
export interface Stage {
  readonly program: Program;
  /** A folder for one story after the other. */
  readonly folder: string;
}

/** Plays the story of a seed; `title`: what it is about, and `traits`: what its service is like, in place of what the seed says. */
export async function play(stage: Stage, seed: number, title?: Title, traits?: Partial<Traits>): Promise<Told> {
  rmSync(stage.folder, { recursive: true, force: true });
  mkdirSync(stage.folder, { recursive: true });
  const story = new Story(stage, seed, traits);
  const played = await story.play(title).finally(emptyDatabases);
  const { service, wrongs, questions, world } = story;
  return { seed, title: played, wrongs: [...service.wrongs, ...wrongs], questions, log: world.log, befell: service.befell };
}

/** A command as it is typed: in so many milliseconds, and what befalls it. */
interface Typed {
  readonly argv: readonly string[];
  readonly cut?: Cut | undefined;
  readonly after: number;
  /** Who types has a terminal, and this is done in an editor. */
  readonly editor?: ((text: string) => Edited) | undefined;
}

/** What somebody does in an editor with a file, in so many milliseconds. */
export interface Edited {
  readonly text: string;
  readonly takes: number;
  readonly status: number;
}

/** Where a command ends before its own end: once so many things have happened to it. */
interface Cut {
  readonly kind: 'kill' | 'Ctrl-C';
  readonly after: number;
}

export class Story {
  readonly world = new World();
  readonly random: Random;
  readonly service: Service;
  readonly traits: Traits;
  readonly hardship: Hardship;
  /** In some stories a proxy forgets the service while something is deleted or put back. */
  readonly #away: Random;
  readonly wrongs: Wrong[] = [];
  readonly questions: Wrong[] = [];
  /** The rows and records of which it was said that they were sent again, or are there twice: `line 3`, `lead[0]`. */
  readonly named = new Set<string>();
  readonly #stage: Stage;
  readonly #seed: number;
  #commands = 0;

  /** `given`: traits in place of those that are drawn. */
  constructor(stage: Stage, seed: number, given: Partial<Traits> = {}) {
    this.#stage = stage;
    this.#seed = seed;
    this.random = randomFrom(seed);
    const traits = randomFrom(seed + 0x10000);
    const drawn = traits.pick(hardships);
    this.traits = { ...traitsOf(traits, drawn), habit: habitOf(randomFrom(seed + 0x70000)), ...given };
    this.hardship = drawn === 'none' ? hardshipOf(this.traits.habit) : drawn;
    this.service = new Service(this.world, seed + 0x20000, this.traits);
    this.#away = randomFrom(seed + 0x50000);
  }

  /** Plays it to its end; gives what it was about. */
  async play(title?: Title): Promise<Title> {
    const drawn = this.random.pick(titles);
    const about = title ?? this.#apart() ?? drawn;
    this.world.note(`${about}: ${JSON.stringify(this.traits)}`);
    // When runs began is compared with what happened in the world.
    if (!about.endsWith('and their undo')) this.#stepClocks();
    try {
      await plots[about](this);
      await this.world.run();
    } catch (error) {
      if (!(error instanceof Stuck)) throw error;
      this.wrong('comes to no end', error.message);
    }
    return about;
  }

  /** Some stories are about what has a share of its own: the others are what they are without them. */
  #apart(): Title | undefined {
    if (randomFrom(this.#seed + 0x60000).chance(0.03)) return this.#seed % 2 === 0 ? 'a kind of requests refused' : 'requests spaced';
    const random = randomFrom(this.#seed + 0x40000);
    if (random.chance(0.1)) return random.pick(['an edit', 'a merge']);
    return random.chance(0.06) ? 'changes and their undo' : undefined;
  }

  /** In some stories the clock of this machine or of the service is set anew while something runs, back or on. */
  #stepClocks(): void {
    const random = randomFrom(this.#seed + 0x30000);
    if (!random.chance(0.15)) return;
    for (let count = random.between(1, 3); count > 0; count -= 1) {
      const [whose, by] = [
        random.pick(['this machine', 'the service'] as const),
        random.pick([-3_600_000, -90_000, -2000, 2000, 90_000, 3_600_000]),
      ];
      this.world.after(random.between(0, 60_000), () => {
        this.world.note(`    the clock of ${whose} steps by ${by} ms`);
        this.service.befalls(`a clock steps: ${whose}`);
        if (whose === 'the service') this.service.stepped += by;
        else this.world.stepped += by;
      });
    }
  }

  /** A proxy may forget the service for a while, soon. */
  mayGoAway(): void {
    if (this.traits.faults === 0 || !this.#away.chance(0.2)) return;
    const within = this.#away.pick([0, 300, 3000]);
    const takes = this.#away.pick([300, 3000, 60_000]);
    this.world.after(this.#away.between(0, within), () => this.service.goAway(takes));
  }

  /** Notes what must not be; `what` is told apart by what makes it likely here. */
  wrong(what: string, told: string): void {
    this.world.note(`!!! ${what}: ${told}`);
    this.wrongs.push({
      what:
        this.hardship === 'none' || /^(deleted|took|wrote|erased|failed by|made twice, at once)/.test(what)
          ? what
          : `${what}, ${this.hardship}`,
      told,
    });
  }

  /**
   * Notes that nobody could tell what became of a write. `told`: its row, a colon, and what was said. On an ordinary service a look
   * tells, unless somebody changed the record since.
   */
  asked(about: string, told: string, made: readonly Kept[]): void {
    this.questions.push({ what: `${about}, ${this.hardship}`, told });
    // What a colleague made alike, a person has to tell apart.
    const isAlike = this.service.records.some(({ maker, id }) => maker === 'colleague' && told.includes(` ${id}`));
    if (!isAlike && this.#isPlain(made, told.slice(0, told.indexOf(': ')))) this.wrong(`asked without need: ${about}`, told);
  }

  /** Notes records of which there are more than were meant, untold or where a look could have told. */
  twice(made: readonly Kept[], most: number, isTold: boolean, about: string): void {
    if (made.length <= most) return;
    const told = `${about}: ${made.map(({ id }) => id).join(', ')}`;
    if (!isTold) this.wrong('made twice', told);
    else if (this.#isPlain(made, about)) this.wrong('made twice, and named, where a look could tell', told);
  }

  /** Whether a look tells of these records of a row: the service is an ordinary one, and nobody changed them. */
  #isPlain(made: readonly Kept[], row: string): boolean {
    const isOthers = made.some(({ meddlings, gone }) => meddlings.length > 0 || gone !== undefined);
    // What a service rewrites inside of a text, a look may only take for alike.
    const isRewritten = this.traits.trims && [row, ...made.flatMap(({ sent }) => Object.values(sent))].some((text) => /\S {2}/.test(text));
    if (this.traits.habit === 'rewrites telling values') return !isOthers && this.#areTold(made);
    return this.hardship === 'none' && !isOthers && !isRewritten;
  }

  /** Whether each of these was answered with a new id, above all that was there, and no process was cut off: such records are ours. */
  #areTold(made: readonly Kept[]): boolean {
    const { sent, befell } = this.service;
    const isRising = this.traits.ids === 'one by one' || this.traits.ids === 'with gaps';
    const isCut = befell.has('kill -9') || befell.has('Ctrl-C');
    const isTold = (kept: Kept): boolean =>
      sent.some(({ about, method, isTold }) => about === kept && method === 'POST' && isTold === true);
    return isRising && !isCut && made.length > 0 && made.every(isTold);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.#stage.folder, name), text);
  }

  read(name: string): string | undefined {
    try {
      return readFileSync(join(this.#stage.folder, name), 'utf8');
    } catch {
      return undefined;
    }
  }

  /** Time passes. */
  async pause(milliseconds: number): Promise<void> {
    let isOver = false;
    this.world.after(milliseconds, () => {
      isOver = true;
    });
    await this.world.run(() => isOver);
  }

  /** What may end a command early. */
  cut(): Cut | undefined {
    const { random } = this;
    if (!random.chance(0.45)) return undefined;
    return { kind: random.chance(0.65) ? 'kill' : 'Ctrl-C', after: random.between(1, random.pick([10, 60, 250])) };
  }

  /** Types a command; its end. */
  async crm(argv: readonly string[], cut?: Cut): Promise<Ended | undefined> {
    const [ended] = await this.crms([{ argv, cut, after: 0 }]);
    return ended;
  }

  /** Types commands beside each other, each so many milliseconds from now; their ends. */
  async crms(typed: readonly Typed[]): Promise<(Ended | undefined)[]> {
    const begun = typed.map((one) => this.#begin(one, typed.length > 1));
    await this.world.run(() => begun.every(({ life }) => life.isOver));
    return begun.map(({ ended }) => ended());
  }

  /** `besides`: the disk takes its time, so that what others do meanwhile comes between. */
  #begin({ argv, cut, after, editor }: Typed, besides: boolean): { readonly life: Life; ended(): Ended | undefined } {
    this.#commands += 1;
    const { world, service } = this;
    const { program, folder } = this.#stage;
    const name = `crm${this.#commands}`;
    const io = fakeIo(editor === undefined ? {} : { stdinTTY: true, stderrTTY: true });
    const abort = new AbortController();
    const moment = (life: Life): void => {
      world.note(`${name} ${cut?.kind}`);
      service.befalls(cut?.kind === 'kill' ? 'kill -9' : 'Ctrl-C');
      if (cut?.kind === 'kill') world.kill(life);
      else abort.abort(program.interruption());
    };
    const life: Life = {
      name,
      isOver: false,
      isPaced: argv.includes('--rate'),
      open: new Set(),
      happened: 0,
      ...(cut === undefined ? {} : { moment: { after: cut.after, work: moment } }),
      ...(editor === undefined ? {} : { edits: (path, left) => this.#edit(editor, life, path, left) }),
      ...(besides ? { disk: () => new Promise((resolve) => world.after(this.random.between(0, 3), resolve, life)) } : {}),
    };
    const clock = world.clockOf(life, randomFrom(this.random.between(0, 1e9)));
    const env = {
      CRM_BASE_URL: 'https://crm.example',
      CRM_API_KEY: 'a-key-of-this-story',
      CRM_DATA_DIR: join(folder, 'data'),
      CRM_CONFIG_DIR: join(folder, 'config'),
      TMPDIR: folder,
    };
    let ended: Ended | undefined;
    world.live(life, after, async () => {
      world.note(`$ crm ${argv.join(' ')}`);
      const status = await program.main(argv, { io, env, cwd: folder, signal: abort.signal, clock, transport: service.transportOf(life) });
      const [stdout = '', stderr = ''] = [io.stdoutText(), io.stderrText()].map((text) => text.replaceAll(folder, 'FOLDER'));
      const text = `\n${stdout}${stderr}`.trimEnd().replaceAll(/crm-edit-\w+/g, 'crm-edit');
      world.note(`${name} ends with ${status}${text.replaceAll('\n', '\n            ')}`);
      for (const one of namedIn(text)) this.named.add(one);
      ended = { status, stdout, stderr };
    });
    return { life, ended: () => ended };
  }

  #edit(editor: (text: string) => Edited, life: Life, path: string, left: (status: number) => void): void {
    const { world } = this;
    const { text, takes, status } = editor(readFileSync(path, 'utf8'));
    world.note(`    ${life.name} waits for an editor`);
    const leave = (): void => {
      world.note(`    the editor of ${life.name} ends with ${status}\n${text}`.trimEnd().replaceAll('\n', '\n            '));
      writeFileSync(path, text);
      left(status);
    };
    world.after(takes, leave, life);
  }

  /** Records of ours that were made of a body with such a value. */
  ours(family: string, wire: string, value: string): Kept[] {
    return this.service.records.filter((kept) => kept.family === family && kept.maker === 'us' && kept.sent[wire] === value);
  }
}

/** What makes it hard to find what was lost: one of these at the most. */
const hardships = [
  'none',
  'none',
  'none',
  'none',
  'with late commits',
  'with late lists',
  'with clocks apart',
  'with titles cut',
  'with lies',
  'with ids used again',
] as const;
type Hardship = (typeof hardships)[number] | 'with telling values rewritten' | "with another's ids";

/** Some services have a habit beside their traits. */
const habitOf = (random: Random): Traits['habit'] => (random.chance(0.2) ? random.pick(habits.slice(1)) : 'none');

/** The habits with which no look may tell. */
function hardshipOf(habit: Traits['habit']): Hardship {
  if (habit === 'rewrites telling values') return 'with telling values rewritten';
  return habit === "answers another's id" ? "with another's ids" : 'none';
}

function traitsOf(random: Random, hardship: (typeof hardships)[number]): Omit<Traits, 'habit'> {
  return {
    trims: random.chance(0.5),
    escapes: random.chance(0.3),
    reorders: random.chance(0.3),
    cutsTitlesAt: hardship === 'with titles cut' ? 40 : 1000,
    ids: hardship === 'with ids used again' ? 'used again' : random.pick(['one by one', 'one by one', 'with gaps', 'at random'] as const),
    lies: hardship === 'with lies',
    roughness: random.pick([1, 1000, 1000]),
    nodes: hardship === 'with clocks apart' ? [0, 90_000] : random.pick([[0], [0], [0, 300, -200], [-40_000]]),
    lag: hardship === 'with late lists' ? random.between(5000, 20_000) : random.pick([0, 0, 1500]),
    faults: random.pick([0, 0.15, 0.25, 0.4]),
    late: hardship === 'with late commits' ? random.between(12_000, 50_000) : random.pick([500, 5000]),
    colleagues: random.pick([0, 0.1, 0.3, 0.6]),
    retryAfter: random.pick([2, 10, 60]),
    lowers: random.chance(0.2),
    isSparse: random.chance(0.2),
    page: random.pick([100, 100, 3]),
  };
}

/** Values of a row, by the flags that are its columns. */
interface Row {
  readonly values: Readonly<Record<string, string>>;
  /** The value by which its record is known: no two rows share it but equal ones. */
  readonly mark: string;
}

interface Sort {
  readonly family: string;
  /** The wire name of the column that is the mark. */
  readonly marked: string;
  row(random: Random, mark: string): Readonly<Record<string, string>>;
}

const word = (random: Random): string =>
  random.pick(['Till', 'Shop & Co', '  Desk', 'Lamp <new>', 'Café', 'A rather long title that somebody typed in a hurry']);

const sorts: readonly Sort[] = [
  {
    family: 'leads',
    marked: 'lead_title',
    row: (random, mark) => ({
      title: `${mark} ${word(random)}`,
      status: '1',
      category: '1',
      source: word(random).trim(),
      email: random.chance(0.5) ? `${mark}@example.com` : '',
    }),
  },
  { family: 'notes', marked: 'note_title', row: (random, mark) => ({ title: `${mark} ${word(random)}`, description: word(random) }) },
  {
    family: 'contacts',
    marked: 'email',
    row: (random, mark) => ({
      'first-name': word(random).trim(),
      'last-name': mark,
      email: `${mark}@example.com`,
      client: '1',
      phone: `0${random.between(1000, 9999)}`,
    }),
  },
];

const marks = { lead_title: 'title', note_title: 'title', email: 'email' } as Readonly<Record<string, string>>;

export function csvOf(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cell = (text: string): string => (/[",\n]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [names, ...rows.map((row) => names.map((name) => cell(row[name] ?? '')))].map((cells) => `${cells.join(',')}\n`).join('');
}

/** The lines of a CSV by their columns. */
export function rowsOf(text: string): Record<string, string>[] {
  const lines: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n)/g)) {
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end !== ',') lines.push([]);
  }
  const [names = [], ...rows] = lines.slice(0, -1);
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

/** How often it is resumed at the most, in calm at last. */
const mostTries = 9;

/** An import that is cut off now and then and resumed until it has ended; its last end. */
export async function imported(story: Story, base: readonly string[]): Promise<Ended | undefined> {
  const { random, service, world } = story;
  const earlier = service.sent.length;
  let isResumed = false;
  for (let attempt = 1; attempt <= mostTries; attempt += 1) {
    if (attempt > 4) service.isCalm = true;
    const ended = await story.crm(isResumed ? [...base, '--resume'] : base, attempt > 4 ? undefined : story.cut());
    if (ended !== undefined && isWhole(ended)) return ended;
    if (ended !== undefined && ended.status === 2 && isResumed && ended.stderr.includes('to resume')) {
      const sent = service.sent.slice(earlier).filter(({ committed }) => committed !== undefined).length;
      if (sent > 0) story.wrong('nothing to resume', `${sent} writes went through before.`);
      isResumed = false;
      continue;
    }
    if (ended !== undefined && ![6, 7, 8, 130].includes(ended.status)) {
      story.wrong(`ends with ${ended.status}`, ended.stderr);
      return undefined;
    }
    isResumed = true;
    await story.pause(random.pick([0, 100, 3000, 30_000]));
  }
  story.wrong('resuming comes to no end', `${mostTries} times`);
  world.note('given up');
  return undefined;
}

/** Whether every row of an import has an outcome, if only that nobody can tell. */
function isWhole({ status, stdout }: Ended): boolean {
  if (status !== 0 && status !== 8) return false;
  const {
    total,
    created = 0,
    updated = 0,
    unchanged = 0,
    failed = 0,
    conflicts = 0,
    unknown = 0,
  } = JSON.parse(stdout) as Record<string, number>;
  return created + updated + unchanged + failed + conflicts + unknown === total;
}

/** Rows of which no two have the same mark, except that one may stand twice. */
function newRows(story: Story, sort: Sort): Row[] {
  const { random } = story;
  const rows = Array.from({ length: random.between(1, 9) }, (_, index): Row => {
    const values = sort.row(random, `r${index}x${random.between(100, 999)}`);
    return { values, mark: values[marks[sort.marked] ?? ''] ?? '' };
  });
  const [first] = rows;
  if (first !== undefined && sort.family !== 'contacts' && random.chance(0.2)) rows.push(first);
  return rows;
}

async function importOfNew(story: Story): Promise<void> {
  const { random } = story;
  const sort = random.pick(sorts);
  before(story, sort.family);
  const rows = newRows(story, sort);
  story.write('rows.csv', csvOf(rows.map(({ values }) => values)));
  near(story, sort, rows);
  const end = await imported(story, [sort.family, 'import', 'rows.csv', '--json', '--results', 'results.csv', ...pace(random)]);
  await story.world.run();
  checkNew(story, sort, rows, end);
}

/** The same file is imported twice at once: each row is made once. */
async function importsAtOnce(story: Story): Promise<void> {
  const { random } = story;
  const sort = random.pick(sorts);
  const rows = newRows(story, sort);
  story.write('rows.csv', csvOf(rows.map(({ values }) => values)));
  const argv = [sort.family, 'import', 'rows.csv', '--json', ...pace(random)];
  const after = random.pick([0, 1, 20, 300, 5000]);
  const ends = await story.crms([
    { argv, after: 0, cut: random.chance(0.3) ? story.cut() : undefined },
    { argv: [...argv, '--results', 'results.csv'], after },
  ]);
  await story.world.run();
  for (const [mark, equal] of Map.groupBy(rows, (row) => row.mark)) {
    const made = story.ours(sort.family, sort.marked, mark);
    if (made.length > equal.length && namedOf(story, keysOf(rows, mark)) === 0 && !ends.some((end) => end?.status === 8))
      story.wrong('made twice, at once', `${mark}: ${made.map(({ id }) => id).join(', ')}`);
  }
  for (const end of ends)
    if (end !== undefined && ![0, 6, 7, 8, 10, 130].includes(end.status)) story.wrong(`ends with ${end.status}`, end.stderr);
}

const pace = (random: Random): string[] => [
  '--concurrency',
  String(random.pick([1, 2, 4, 8])),
  ...(random.chance(0.2) ? ['--rate', random.pick(['2', '10'])] : []),
  ...(random.chance(0.3) ? ['--timeout', random.pick(['5', '20'])] : []),
  ...(random.chance(0.3) ? ['--retries', '1'] : []),
];

/** What is there before anything is typed. */
function before({ random, service }: Story, family: string): Kept[] {
  const count = random.pick([0, 1, 5]);
  return Array.from({ length: count }, (_, index) => service.add(family, bodyOf(family, `old${index}`), 'setup'));
}

export const bodyOf = (family: string, mark: string): Record<string, string> => {
  if (family === 'contacts') return { first_name: 'Old', last_name: mark, email: `${mark}@example.com`, clientid: '1' };
  if (family === 'notes') return { note_title: mark, note_description: 'Old' };
  if (family === 'proposals')
    return { doc_title: mark, customer_type: 'client', doc_client_id: '1', doc_date_start: '2026-01-01', doc_categoryid: '4' };
  return { lead_title: mark, lead_status: '1', lead_categoryid: '1', lead_email: `${mark}@example.com`, lead_source: 'Old' };
};

/** A value as somebody writes it who cares for how it is written. */
export const corrected = (text: string): string =>
  text.toUpperCase() === text ? `${text.slice(0, 2)}-${text.slice(2)}` : text.toUpperCase();

/** Colleagues make records that are a little like those of the rows. */
function near({ random, service, world, traits }: Story, { family }: Sort, rows: readonly Row[]): void {
  if (traits.colleagues === 0) return;
  for (let count = random.between(0, 3); count > 0; count -= 1) {
    const { values } = random.pick(rows);
    world.after(random.between(0, 30_000), () => {
      const body = bodyOf(family, `colleague${count}`);
      if (family === 'leads' && random.chance(0.5) && values.email !== '') body.lead_email = values.email ?? '';
      if (family === 'notes') body.note_description = values.description ?? '';
      // Somebody types the same by hand, and a little otherwise: on a service that writes titles anew, that may be what it made of ours.
      const keepsTitles = !traits.trims && traits.cutsTitlesAt === 1000;
      if (family === 'leads' && keepsTitles && random.chance(0.5))
        Object.assign(body, { lead_title: corrected(values.title ?? ''), lead_email: values.email, lead_source: values.source });
      if (family === 'notes' && keepsTitles && random.chance(0.5)) body.note_title = corrected(values.title ?? '');
      const kept = service.add(family, body, 'colleague');
      world.note(`    colleague: makes ${family} ${kept.id} ${JSON.stringify(body)}`);
    });
  }
}

/** The rows and records of which a text says that they were sent again, are there twice, or may have taken effect. */
function namedIn(text: string): string[] {
  const [, again = ''] = /sent again because [^:]*: (.*?)\.\s/.exec(text) ?? [];
  const untold = text.matchAll(/"message": ?"([^ "]+): [^"]*may or may not have taken effect/g);
  return [...again.split(/, | and /), ...Array.from(untold, ([, name = '']) => name)].filter(Boolean);
}

/** How many of these rows are told apart by nobody: each may be there once more. */
const namedOf = ({ named }: Story, keys: readonly string[]): number => keys.filter((key) => named.has(key)).length;

/** The keys of rows with a mark: the first line of the file is that of its columns. */
const keysOf = (rows: readonly Row[], mark: string): string[] =>
  rows.flatMap((row, index) => (row.mark === mark ? [`line ${index + 2}`] : []));

/** A value by which a look knows a lost record. */
const telling = /^(title|description|email|name|contact\.(email|first_name|last_name|company_name)|first_name|last_name)$/;

/** Whether a row's failure says that nobody can tell, and each of its records was rewritten so that no look knows it. */
const isHidden = ({ traits }: Story, made: readonly Kept[], error = ''): boolean =>
  error.includes('may or may not have taken effect') &&
  made.length > 0 &&
  made.every(({ meddlings, values, sent }) => {
    const byColleague = meddlings.some((meddling) => meddling.values.keys().some((path) => telling.test(path)));
    const isKeptOtherwise = [...values].some(([path, text]) => telling.test(path) && !Object.values(sent).includes(text));
    return byColleague || (traits.habit === 'rewrites telling values' && isKeptOtherwise);
  });

function checkNew(story: Story, { family, marked }: Sort, rows: readonly Row[], end: Ended | undefined): void {
  const results = rowsOf(story.read('results.csv') ?? '');
  const byMark = Map.groupBy(rows, ({ mark }) => mark);
  for (const [mark, equal] of byMark) {
    const made = story.ours(family, marked, mark);
    const ends = results.filter((result) => (result[marks[marked] ?? ''] ?? '') === mark);
    const unknown = ends.filter(({ outcome }) => outcome === 'unknown');
    for (const { error = '' } of unknown) story.asked('an import', `${mark}: ${error}`, made);
    const failed = ends.filter((result) => result.outcome === 'failed' && !isHidden(story, made, result.error));
    const isUnsure = ends.some((result) => result.outcome === 'failed' && isHidden(story, made, result.error));
    const isTold = unknown.length > 0 || isUnsure || namedOf(story, keysOf(rows, mark)) > 0;
    story.twice(made, equal.length, isTold, mark);
    if (end === undefined) continue;
    if (ends.length !== equal.length) story.wrong('a row without an outcome', `${mark}: ${JSON.stringify(ends)}`);
    // Of a service that rewrites values a look takes what is alike: a colleague's record with other capitals, too.
    const isAlike = ({ id }: Record<string, string>): boolean =>
      story.traits.habit === 'rewrites telling values' &&
      story.service.records.some((kept) => kept.maker === 'colleague' && kept.family === family && String(kept.id) === id);
    const created = ends.filter((result) => result.outcome === 'created' && !isAlike(result));
    if (created.length > made.length) story.wrong('said to be made, and is not', `${mark}: ${JSON.stringify(created)}`);
    for (const { id, error } of failed) {
      if (made.length > created.length) story.wrong('said to have failed, and is there', `${mark}: ${id} ${error}`);
    }
    for (const { id } of created) {
      if (id !== '' && !made.some((kept) => String(kept.id) === id)) story.wrong("said to have made somebody else's", `${mark}: ${id}`);
    }
  }
  if (end !== undefined) checkCounts(story, end, results);
}

function checkCounts(story: Story, { status, stdout }: Ended, results: readonly Record<string, string>[]): void {
  const interrupted = results.find(({ outcome, error }) => outcome === 'failed' && error?.includes('nterrupted'));
  if (interrupted !== undefined) story.wrong('failed by Ctrl-C', JSON.stringify(interrupted));
  const counts = JSON.parse(stdout) as Record<string, number>;
  const count = (outcome: string): number => results.filter((one) => one.outcome === outcome).length;
  if (counts.failed !== count('failed') || counts.unknown !== count('unknown'))
    story.wrong('counts that are not so', `${stdout} ${JSON.stringify(results)}`);
  if (status === 0 && count('failed') + count('unknown') + count('conflict') > 0)
    story.wrong('an end that is not so', `${status} ${JSON.stringify(results)}`);
}

/** The columns that an import of changes writes. */
const changed: Readonly<Record<string, { readonly column: string; readonly wire: string; readonly path: string }>> = {
  leads: { column: 'source', wire: 'lead_source', path: 'source' },
  notes: { column: 'description', wire: 'note_description', path: 'description' },
  contacts: { column: 'phone', wire: 'phone', path: 'phone' },
};

async function importOfChanges(story: Story): Promise<void> {
  const { random, service } = story;
  const family = random.pick(['leads', 'leads', 'notes', 'contacts']);
  const { column, wire, path } = changed[family] ?? { column: '', wire: '', path: '' };
  const old = Array.from({ length: random.between(1, 8) }, (_, index) => service.add(family, bodyOf(family, `old${index}`), 'setup'));
  // What is new corrects what is old.
  for (const kept of old) if (random.chance(0.3)) kept.values.set(path, `NEW ${kept.id}`);
  const isDated = random.chance(0.5);
  const stamps = new Map(old.map((kept) => [kept, kept.updated]));
  const rows = old.map(({ id, updated }) => ({ id: String(id), [column]: `new ${id}`, ...(isDated ? { 'dates.updated': updated } : {}) }));
  story.write('rows.csv', csvOf(rows));
  if (isDated) stir(story, old, 5000);
  await story.pause(5000);
  stir(story, old);
  const end = await imported(story, [
    family,
    'import',
    'rows.csv',
    '--mode',
    'update',
    '--yes',
    '--json',
    '--results',
    'results.csv',
    ...pace(random),
  ]);
  await story.world.run();
  if (end === undefined) return;
  const results = rowsOf(story.read('results.csv') ?? '');
  for (const kept of old) {
    const wanted = `new ${kept.id}`;
    const outcome = results.find(({ id }) => id === String(kept.id))?.outcome;
    const written = service.sent.filter(
      ({ about, values, committed }) => about === kept && committed !== undefined && values[wire] === wanted,
    );
    if (isDated) for (const one of written) checkDated(story, kept, one, stamps.get(kept) ?? '');
    const taken = written.filter((one) => isTaken(one, path));
    // A value that somebody wrote between the read and the write stands otherwise than it was read; and what no answer shows counts as taken.
    const isOthers = taken.length < written.length && kept.meddlings.some(({ values }) => values.has(path));
    const isUntold = (family === 'contacts' || story.traits.isSparse) && story.traits.faults > 0 && written.length > 0;
    if (outcome === 'updated' && taken.length === 0 && !isOthers && !isUntold)
      story.wrong('said to be changed, and is not', `${family} ${kept.id}`);
    if (outcome === 'failed' && taken.length > 0 && kept.gone === undefined)
      story.wrong('said to have failed, and is changed', `${family} ${kept.id}`);
    // A service that keeps a value which is alike leaves it unchanged.
    const isKept = written.length > taken.length && kept.values.get(path)?.toLowerCase() === wanted.toLowerCase();
    if (outcome === 'unchanged' && kept.values.get(path) !== wanted && !isKept && !kept.meddlings.some(({ values }) => values.has(path)))
      story.wrong('said to be unchanged, and is not', `${family} ${kept.id}`);
  }
  checkCounts(story, end, results);
}

/** Whether the service took a value of a write that arrived. */
export const isTaken = ({ kept = [] }: Sent, path: string): boolean => !kept.includes(path);

/** What a rule of the service gave to new records stays, beside what was asked for. `given`: the sets that were asked for. */
export function checkGiven(story: Story, made: readonly Kept[], given: Readonly<Record<string, readonly string[]>>): void {
  if (story.traits.habit !== 'fills sets') return;
  for (const { family, id, gone, sets } of made) {
    if (gone !== undefined) continue;
    for (const [name, held] of sets) {
      const isReplaced = name === 'assigned' && (given.assigned ?? []).length > 0;
      const lacks = [...(isReplaced ? [] : [givenByRule[name as keyof typeof givenByRule]]), ...(given[name] ?? [])].filter(
        (one) => !held.some((other) => other.toLowerCase() === one.toLowerCase()),
      );
      if (lacks.length > 0)
        story.wrong('took what a rule gave', `${family} ${id}: ${name} are ${held.join(', ')}, without ${lacks.join(', ')}`);
    }
  }
}

/** What was changed after the file was written, and shown so, is not overwritten. */
function checkDated(story: Story, kept: Kept, { seen = 0 }: Sent, stamp: string): void {
  // The record shows the stamp of its last change alone, and that may be of a node whose clock is behind.
  const last = kept.meddlings.filter(({ at }) => at < seen).at(-1);
  if (last !== undefined && last.at < seen - 500 && last.stamp > stamp)
    story.wrong('wrote over what is newer than the file', `${kept.family} ${kept.id}, changed at ${last.at}`);
}

/** Colleagues change some of these while something runs. */
function stir(story: Story, kept: readonly Kept[], within = 20_000): void {
  const { random, service, world, traits } = story;
  if (traits.colleagues === 0) return;
  for (const one of kept) {
    if (!random.chance(0.3)) continue;
    world.after(random.between(0, within), () => {
      if (random.chance(0.1)) service.remove(one);
      else
        service.meddle(
          one,
          one.family === 'contacts'
            ? { job_position: `stirred ${world.now}` }
            : one.family === 'notes'
              ? { title: `stirred ${world.now}` }
              : { description: `stirred ${world.now}` },
        );
    });
  }
}

async function importOfEither(story: Story): Promise<void> {
  const { random, service } = story;
  const [sort] = sorts;
  if (sort === undefined) return;
  const rows = Array.from({ length: random.between(2, 8) }, (_, index): Row => {
    const values: Row['values'] = { ...sort.row(random, `e${index}x${random.between(100, 999)}`), email: `e${index}@example.com` };
    return { values, mark: values.title ?? '' };
  });
  const old = rows
    .filter(() => random.chance(0.4))
    .map(({ values }) => service.add('leads', { ...bodyOf('leads', 'old'), lead_email: String(values.email) }, 'setup'));
  story.write('rows.csv', csvOf(rows.map(({ values }) => values)));
  await story.pause(5000);
  stir(story, old);
  const end = await imported(story, [
    'leads',
    'import',
    'rows.csv',
    '--mode',
    'upsert',
    '--match',
    'email',
    '--yes',
    '--json',
    '--results',
    'results.csv',
    ...pace(random),
  ]);
  await story.world.run();
  const results = rowsOf(story.read('results.csv') ?? '');
  for (const { mark, values } of rows) {
    const made = story.ours('leads', 'lead_title', mark);
    const result = results.find(({ title }) => title === mark);
    const was = old.filter(({ sent }) => sent.lead_email === values.email);
    if (result?.outcome === 'unknown') story.asked('an import', `${mark}: ${result.error}`, [...made, ...was]);
    const isTold = result?.outcome === 'unknown' || namedOf(story, keysOf(rows, mark)) > 0;
    story.twice(made, 1, isTold, mark);
    if (made.length > 0 && was.some(({ gone }) => gone === undefined)) story.wrong('made beside what is there', mark);
    if (end === undefined) continue;
    if (result?.outcome === 'created' && made.length === 0) story.wrong('said to be made, and is not', mark);
    if (result?.outcome === 'failed' && made.length > 0) story.wrong('said to have failed, and is there', mark);
  }
}

async function seedAndEnd(story: Story): Promise<void> {
  const { random, service } = story;
  before(story, 'leads');
  const leads = random.between(1, 4);
  const text = [
    'version: 1',
    'records:',
    '  - name: lead',
    '    type: lead',
    `    count: ${leads}`,
    "    set: { title: 's${number} of ${run}', status: 1, category: 1 }",
    ...(random.chance(0.5)
      ? ['    then:', ...random.pick([['      - tags: [seeded]'], ['      - status: 2'], ['      - tags: [seeded]', '      - archive']])]
      : []),
    '  - name: note',
    '    type: note',
    "    set: { title: 'n of ${run}', description: text, resource: 'lead:${lead[0].id}' }",
    ...(random.chance(0.5)
      ? [
          '  - name: offer',
          '    type: proposal',
          "    set: { title: 'o of ${run}', lead: '${lead[0].id}', start: 2027-01-01, category: 4 }",
        ]
      : []),
    '',
  ].join('\n');
  story.write('team.yaml', text);
  const applied = await untilEnd(story, ['seed', 'apply', 'team.yaml', '--json', ...pace(random)]);
  const over = story.world.now;
  await story.world.run();
  for (let number = 1; number <= leads; number += 1)
    checkSeeded(story, 'leads', 'lead_title', `s${number} of team`, leads > 1 ? `lead[${number - 1}]` : 'lead', applied);
  checkSeeded(story, 'notes', 'note_title', 'n of team', 'note', applied);
  if (text.includes('offer')) checkSeeded(story, 'proposals', 'doc_title', 'o of team', 'offer', applied);
  const ours = service.records.filter(({ maker }) => maker === 'us');
  if (applied?.status === 0) checkGiven(story, ours, {});
  await story.pause(5000);
  const keeps = random.chance(0.5);
  // How a record looked first is read once after its last step: what was changed before that is part of it.
  const earlier = new Map(ours.map((kept) => [kept, kept.meddlings.filter(({ at }) => at > over)]));
  if (story.traits.colleagues > 0)
    for (const one of ours)
      if (random.chance(0.3))
        story.world.after(random.between(0, 10_000), () => {
          if (one.family === 'leads' && random.chance(0.3)) service.convert(one);
          else
            service.meddle(one, one.family === 'proposals' ? { 'signed.date': '2026-03-02' } : { description: `late ${story.world.now}` });
        });
  if (story.traits.colleagues > 0 && random.chance(0.5)) {
    const lead = random.pick(ours.filter(({ family }) => family === 'leads'));
    if (lead !== undefined)
      story.world.after(random.between(0, random.pick([500, 2000, 10_000])), () => {
        const { id } = service.add(
          'notes',
          { note_title: 'mine', note_description: 'mine', noteresource_type: 'lead', noteresource_id: String(lead.id) },
          'colleague',
        );
        story.world.note(`    colleague: makes notes ${id} on lead ${lead.id}`);
      });
  }
  const ended = await untilEnd(story, [
    'seed',
    'destroy',
    '--run',
    'team',
    '--yes',
    '--json',
    ...(keeps ? ['--keep-changed'] : []),
    ...pace(random),
  ]);
  await story.world.run();
  if (applied === undefined || ended === undefined) return;
  for (const kept of ours) {
    const { seen = 0 } = service.sent.find(({ about, method }) => about === kept && method === 'DELETE') ?? {};
    const isSeen = earlier.get(kept)?.some(({ erased }) => erased === undefined || erased > seen) === true;
    if (kept.gone?.who === 'us' && keeps && isSeen) story.wrong('deleted what was to be kept', `${kept.family} ${kept.id}`);
    const isUntouched = kept.meddlings.length === 0 && kept.family !== 'leads';
    if (kept.gone === undefined && ended.stderr.includes(`${kept.family.slice(0, -1)} ${kept.id}`) && isUntouched)
      story.wrong('kept as changed, and nobody changed it', `${kept.family} ${kept.id}: ${ended.stderr}`);
    // On a service that rewrites values, a look knows no record of a create that was lost: it is sent again, and named.
    const isNamed = story.traits.habit === 'rewrites telling values' && story.named.size > 0;
    if (kept.gone === undefined && ended.status === 0 && !keeps && !isNamed)
      story.wrong('said to be gone, and is there', `${kept.family} ${kept.id}`);
  }
}

/** What came of one record of a seed. */
function checkSeeded(story: Story, family: string, wire: string, value: string, key: string, end: Ended | undefined): void {
  const made = story.ours(family, wire, value);
  const isAsked =
    end?.status === 8 && new RegExp(`"name": ?"${key.replaceAll(/[[\]]/g, '\\$&')}"`).test(end.stderr) && !story.named.has(key);
  if (isAsked) story.asked('a seed', `${value}: ${end.stderr}`, made);
  const isTold = isAsked || namedOf(story, [key, `${key}[0]`]) > 0;
  story.twice(made, 1, isTold, value);
  if (end?.status === 0 && made.length === 0) story.wrong('said to be made, and is not', value);
  if (end?.status === 0) {
    const ids = new Set((end.stdout.match(/\d+/g) ?? []).map(Number));
    if (made.length > 0 && !made.some(({ id }) => ids.has(id))) story.wrong("said to have made somebody else's", `${value}: ${end.stdout}`);
  }
}

/** A command that is cut off now and then and typed again until it has ended. */
async function untilEnd(story: Story, argv: readonly string[]): Promise<Ended | undefined> {
  for (let attempt = 1; attempt <= mostTries; attempt += 1) {
    if (attempt > 4) story.service.isCalm = true;
    if (argv[1] === 'destroy') story.mayGoAway();
    const ended = await story.crm(argv, attempt > 4 ? undefined : story.cut());
    if (ended?.status === 0 || (ended?.status === 8 && (attempt > 6 || argv[1] === 'apply'))) return ended;
    // A destroy that was killed at its end finds no run any more.
    if (ended?.status === 3 && attempt > 1) return ended;
    if (ended !== undefined && ![5, 6, 7, 8, 130].includes(ended.status)) {
      story.wrong(`ends with ${ended.status}`, ended.stderr);
      return undefined;
    }
    await story.pause(story.random.pick([0, 100, 3000, 30_000]));
  }
  // What a service keeps, no attempt changes.
  if (story.traits.habit !== 'keeps values') story.wrong('typing it again comes to no end', argv.join(' '));
  return undefined;
}

/** What is done to a selection, and how a record tells that it was. */
interface Deed {
  readonly argv: (ids: string) => readonly string[];
  readonly family: string;
  readonly isDone: (kept: Kept) => boolean;
  /** The value that selects the records. */
  readonly where?: readonly [path: string, value: string];
}

const deeds: readonly Deed[] = [
  {
    family: 'proposals',
    argv: (ids) => ['proposals', 'status', ids, '--to', 'accepted'],
    isDone: ({ values }) => values.get('status') === 'accepted',
  },
  {
    family: 'leads',
    argv: (ids) => ['leads', 'update', ids, '--source', 'selected'],
    isDone: ({ values }) => values.get('source') === 'selected',
  },
  {
    family: 'leads',
    argv: (ids) => ['leads', 'tags', ids, '--add', 'selected'],
    isDone: ({ sets }) => sets.get('tags')?.includes('selected') === true,
  },
  { family: 'leads', argv: (ids) => ['leads', 'status', ids, '--to', '2'], isDone: ({ values }) => values.get('status.id') === '2' },
  { family: 'leads', argv: (ids) => ['leads', 'archive', ids], isDone: ({ values }) => values.get('active_state') === 'archived' },
  { family: 'leads', argv: (ids) => ['leads', 'delete', ids], isDone: ({ gone }) => gone !== undefined },
  {
    family: 'leads',
    argv: () => ['leads', 'update', '--where', 'source=Old', '--phone', '0123'],
    isDone: ({ values }) => values.get('contact.phone') === '0123',
    where: ['source', 'Old'],
  },
  {
    family: 'leads',
    argv: () => ['leads', 'delete', '--where', 'source=Old'],
    isDone: ({ gone }) => gone !== undefined,
    where: ['source', 'Old'],
  },
];

async function selection(story: Story): Promise<void> {
  const { random, service, world, traits } = story;
  const { family, argv, isDone, where } = random.pick(deeds);
  const old = Array.from({ length: random.between(2, 6) }, (_, index) => service.add(family, bodyOf(family, `old${index}`), 'setup'));
  await story.pause(5000);
  stir(story, old);
  if (where !== undefined && traits.colleagues > 0)
    for (const one of old)
      if (random.chance(0.3)) world.after(random.between(0, 3000), () => service.meddle(one, { [where[0]]: 'moved on' }));
  let end: Ended | undefined;
  for (let attempt = 1; attempt <= 4 && end?.status !== 0; attempt += 1) {
    if (attempt > 2) service.isCalm = true;
    end = await story.crm([...argv(old.map(({ id }) => id).join(',')), '--yes', '--json'], attempt > 2 ? undefined : story.cut());
    if (end !== undefined && ![0, 3, 5, 6, 7, 8, 130].includes(end.status)) story.wrong(`ends with ${end.status}`, end.stderr);
    await story.pause(random.pick([0, 3000]));
  }
  await story.world.run();
  for (const kept of old) {
    const written = service.sent.filter(({ about, committed }) => about === kept && committed !== undefined);
    const taken = written.filter((one) => one.kept === undefined);
    const isOthers =
      kept.meddlings.some(({ values }) => values.has(where?.[0] ?? '') || values.has('source')) || kept.gone?.who === 'colleague';
    if (end?.status === 0 && !isDone(kept) && taken.length === 0 && !isOthers)
      story.wrong('said to be changed, and is not', `${family} ${kept.id}`);
    if (where === undefined) continue;
    for (const { seen = 0, path } of written) {
      const moved = kept.meddlings.find((one) => one.at < seen - 500 && one.values.has(where[0]));
      if (moved !== undefined) story.wrong('wrote to what is no longer meant', `${path}, moved at ${moved.at}`);
    }
  }
}

const plots = {
  'an import of what is new': importOfNew,
  'an import of changes': importOfChanges,
  'an import of either': importOfEither,
  'two imports at once': importsAtOnce,
  'a seed and its end': seedAndEnd,
  'a selection': selection,
  'a change file': changeFile,
  'writes and their undo': writesAndUndos,
  'an edit': recordsInEditor,
  'a merge': leadsMerged,
  'changes and their undo': changesAndUndos,
  'a kind of requests refused': kindRefused,
  'requests spaced': requestsSpaced,
} as const;

export type Title = keyof typeof plots;

/** What a story is about in the place of what else it would be. */
export const titlesApart = ['an edit', 'a merge', 'changes and their undo', 'a kind of requests refused', 'requests spaced'] as const;

/** What a story may be about; some are likelier. */
const titles = (Object.keys(plots) as Title[]).flatMap((title) => {
  const times = {
    'an import of what is new': 3,
    'an import of changes': 2,
    'a seed and its end': 2,
    'a change file': 2,
    'writes and their undo': 4,
    'an edit': 0,
    'a merge': 0,
    'changes and their undo': 0,
    'a kind of requests refused': 0,
    'requests spaced': 0,
  } as Partial<Record<Title, number>>;
  return Array<Title>(times[title] ?? 1).fill(title);
});
