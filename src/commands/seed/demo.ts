// `crm seed demo`: creates plausible records of the families that can be created, without a seed file.

import type { Document } from 'yaml';
import { UsageError } from '../../base/errors.ts';
import type { Flag, FlagValues } from '../../base/flag.ts';
import { isJsonDocument } from '../../base/global-flags.ts';
import { parseId, parseInteger } from '../../base/values/parse.ts';
import { command } from '../../cli/command.ts';
import { paceFlags, paceOf } from '../../cli/pace.ts';
import { type Result, shapeless } from '../../output/result.ts';
import type { DemoCounts, DemoIds } from '../../seed/demo.ts';
import { requireNamed } from '../../session/ask/confirm.ts';
import type { Context } from '../../session/context.ts';
import { namedIds, randomSeedFlag, runFlag, seedFlag, seedRequests } from './flags.ts';

const families = ['leads', 'contacts', 'proposals', 'items', 'notes'] as const;

const countFlags = families.map((name) => ({ name, value: 'n', help: `How many ${name}`, least: 0, group: 'Records' }) as const);

const idFlag = <const N extends string>(name: N, noun: string) =>
  ({
    name,
    value: 'id',
    help: `Use this ${noun} in place of the service's list; repeatable`,
    repeatable: true,
    group: 'Ids',
  }) as const satisfies Flag;

const idFlags = [
  idFlag('client', 'client'),
  idFlag('lead-status', 'lead status'),
  idFlag('lead-category', 'lead category'),
  idFlag('proposal-category', 'proposal category'),
  idFlag('item-category', 'item category'),
  idFlag('default-tax', 'tax rate'),
  idFlag('unit', 'unit'),
  idFlag('team', 'team member'),
] as const;

const demoFlags = [
  ...countFlags,
  { ...runFlag, help: 'The name of the run (default demo)', standard: 'demo' },
  seedFlag,
  { name: 'print', help: 'Print the seed file (YAML, or JSON with --json), and write nothing', group: 'Run' },
  ...paceFlags('Pace'),
  ...idFlags,
] as const satisfies readonly Flag[];

type DemoFlags = FlagValues<typeof demoFlags>;

export const seedDemo = command({
  path: ['seed', 'demo'],
  sends: seedRequests,
  does: 'writes',
  fails: ['email_taken', 'partial'],
  prints: { json: 'object', members: namedIds },
  summary: 'Create plausible records without a file',
  description:
    'Applies examples/demo.yaml. Without a count it creates some records of every family; with counts, only the families counted. ' +
    '--print shows the file instead. Ids of clients, statuses and the like are read from the service.',
  args: [],
  flags: demoFlags,
  examples: [
    'crm seed demo',
    'crm seed demo --leads 50 --notes 20 --run trial --random-seed 7',
    'crm seed demo --contacts 5 --print | crm seed apply - --run office',
  ],
  run: async (context, { flags }) => {
    const [{ demoDocument, demoIds }, { checkRun, liveDetails }, { fixedDay }, { randomSeedOf }] = await Promise.all([
      import('../../seed/demo.ts'),
      import('../../seed/run.ts'),
      import('../../seed/apply.ts'),
      import('../../seed/language/fake.ts'),
    ]);
    const run = checkRun(flags.run ?? 'demo');
    const asked = randomSeedFlag(flags).randomSeed;
    const today = asked === undefined ? context.clock.now().toISOString().slice(0, 10) : fixedDay;
    const counts = countsOf(flags);
    const given = Object.fromEntries(
      idFlags.flatMap(({ name }) => (flags[name] === undefined ? [] : [[name, flags[name].map((id) => String(parseId(id, `--${name}`)))]])),
    );
    if (!flags.print) await requireNamed(context);
    // A run that goes on keeps the ids found at its start, because by now its own records are in the lists.
    const kept = (await liveDetails(context, run))?.demo_ids as DemoIds | undefined;
    let ids: DemoIds = {};
    const document = await demoDocument({ run, 'random-seed': asked ?? randomSeedOf('run', run), today }, counts, async (counted) => {
      ids = await demoIds(await context.api(), counted, { ...given, ...kept });
      return ids;
    });
    if (!flags.print) return applied(context, run, document, ids, flags);
    if (!isJsonDocument(context.flags.output)) return { kind: 'text', text: String(document) };
    return { kind: 'rows', isRead: true, data: document.toJS(), shape: shapeless };
  },
});

function countsOf(flags: DemoFlags): DemoCounts | undefined {
  const counted = families.filter((name) => flags[name] !== undefined);
  if (counted.length === 0) return undefined;
  const count = (name: (typeof families)[number]): number => {
    const text = flags[name];
    return text === undefined ? 0 : parseInteger(text, `--${name}`);
  };
  const counts = {
    leads: count('leads'),
    contacts: count('contacts'),
    proposals: count('proposals'),
    items: count('items'),
    notes: count('notes'),
  };
  if (Object.values(counts).every((one) => one === 0)) throw new UsageError('There is nothing to create: give a count above 0.');
  return counts;
}

async function applied(context: Context, run: string, document: Document, ids: DemoIds, flags: DemoFlags): Promise<Result> {
  const [{ parseSeedFile }, { applySeed }] = await Promise.all([import('../../seed/language/file.ts'), import('../../seed/apply.ts')]);
  const file = await parseSeedFile(String(document), 'crm seed demo');
  return applySeed(context, { file, title: run, ...randomSeedFlag(flags), pace: paceOf(flags, context.env), details: { demo_ids: ids } });
}
