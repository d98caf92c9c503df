// The steps of a seed run: finds, creates and actions in the file's order. Values are evaluated when a step is prepared.

import { UsageError } from '../base/errors.ts';
import type { Where } from '../base/files/problems.ts';
import { placeText } from '../base/files/problems.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import { type Id, valueText } from '../base/values/parse.ts';
import type { Api } from '../client/client.ts';
import { type AsWanted, createdRecord, type PreparedRequest, type Step, type Steps, stepsInMemory, unknowable } from '../runs/step.ts';
import { actionLook, preparedAction } from './actions.ts';
import { evaluate, type Refer } from './language/evaluate.ts';
import type { Tree } from './language/file.ts';
import { type Find, onlyMatch, typeIn } from './language/find.ts';
import { createBodyOf } from './language/values.ts';
import {
  type Act,
  entriesOf,
  type Finding,
  type Making,
  ownerOf,
  type RecordToMake,
  type SeedElements,
  targetsOf,
  valueIn,
} from './records.ts';
import { References } from './references.ts';

/** A step with its place in the file, for messages and results. */
export interface SeedStep extends Step {
  /** The place in the file: `line 12, lead.then[0]`. */
  readonly where: Where;
  /** The element that is made or acted on; absent for finds. */
  readonly making?: Making;
  readonly kind: 'find' | 'make' | 'act';
}

export interface SeedSteps extends Steps {
  readonly all: readonly SeedStep[];
}

type StepNumber = Pick<Step, 'n' | 'key' | 'after'>;

/**
 * The steps of a seed file. An element comes after the element above, and its actions come after all of its records. Steps that need a record in
 * `unusable`, or a record without an id, wait.
 */
export function seedSteps(
  elements: SeedElements,
  { api, find, unusable }: { readonly api: Api; readonly find: Find; readonly unusable: ReadonlySet<string> },
): SeedSteps {
  const references = new References(api, unusable);
  const work: Work = { elements, find, references };
  const all: SeedStep[] = [];
  const next = (key: string, after: readonly number[]): StepNumber => ({ n: all.length + 1, key, after });
  let before: readonly number[] = [];
  /** Adds steps as a group: each comes after all steps of the group before. */
  const group = (add: () => void): void => {
    const begins = all.length;
    add();
    if (all.length > begins) before = all.slice(begins).map(({ n }) => n);
  };
  for (const element of elements.elements) {
    if (element.kind === 'find') {
      references.add(element.name, all.length + 1, element.family);
      group(() => all.push(findStep(work, next(element.name, before), element)));
      continue;
    }
    const { resource, records, acts } = element;
    group(() => {
      for (const record of records) {
        references.add(record.name, all.length + 1, resource);
        all.push(makeStep(work, next(record.name, before), record));
      }
    });
    group(() => {
      for (const record of records) {
        let after = before;
        for (const [index, act] of acts.entries()) {
          const number = next(`${record.name}.${act.part}`, after);
          all.push(actStep(work, number, record, act, record.acts[index]));
          after = [number.n];
        }
      }
    });
  }
  return { all, ...stepsInMemory(all) };
}

interface Work {
  readonly elements: SeedElements;
  readonly find: Find;
  readonly references: References;
}

function findStep({ elements: { scope }, find, references }: Work, number: StepNumber, { name, where, family, by }: Finding): SeedStep {
  const type = typeIn(family);
  const noted = family.readOnly ? type : family.name;
  const owner = { name, part: 'find' };
  return {
    ...number,
    family: noted,
    where,
    kind: 'find',
    prepare: async (world): Promise<AsWanted | undefined> => {
      const refer = await references.read(world, targetsOf(by, owner, scope));
      if (refer === undefined) return undefined;
      const values = new Map(by.map((one) => [one.name, scalarText(evaluate(one.tree, owner, scope, refer).value ?? '')]));
      return foundRecord(noted, onlyMatch(await find(family, values), { where, type }, values));
    },
    lookFor: () => ({ kind: 'repeatable' }),
  };
}

function makeStep(work: Work, number: StepNumber, record: RecordToMake): SeedStep {
  const { making, digest } = record;
  const { resource } = making;
  return {
    ...number,
    family: resource.name,
    where: making.where,
    kind: 'make',
    making,
    digest,
    prepare: async (world): Promise<PreparedRequest | AsWanted | undefined> => {
      const { scope } = work.elements;
      const refer = await work.references.read(world, targetsOf(making.values, ownerOf(record, 'set'), scope));
      if (refer === undefined) return undefined;
      const body = bodyOfRecord(work, record, refer);
      const { key, where } = making;
      if (key !== undefined) {
        const by = new Map([[key.flag, valueText(body.get(key.wire) ?? '')]]);
        const listed = await work.find(resource, by);
        if (listed.length > 0) return foundRecord(resource.name, onlyMatch(listed, { where, type: resource.singular }, by));
      }
      return {
        request: { method: 'POST', path: resource.path, body },
        sent: { kind: 'create', body },
        did: 'created',
        factsOf: ({ data }, read) => ({ made: [createdRecord(resource, data, read)] }),
      };
    },
    lookFor: ({ body }) => (body === undefined ? unknowable : { kind: 'create', body }),
  };
}

/** The create body. In a dry run, unknown values stay as written, and then the body isn't checked. */
function bodyOfRecord({ elements: { scope, words } }: Work, record: RecordToMake, refer: Refer): Body {
  const { resource, where } = record.making;
  let isOpen = false;
  const toCome = (value: Tree): string => {
    isOpen = true;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const entries = entriesOf(record, { scope, words, refer, toCome, attempt: (place, work) => work(placeText(place)) });
  try {
    return createBodyOf(resource, entries);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (isOpen) return new Map(entries);
    throw error.message.startsWith('line ') ? error : new UsageError(`${placeText(where)}: ${error.message}`);
  }
}

const foundRecord = (family: string, id: Id): AsWanted => ({ did: 'found', made: [{ family, id, own: false }] });

function actStep(work: Work, number: StepNumber, record: RecordToMake, act: Act, digest: Uint8Array | undefined): SeedStep {
  const { making, name } = record;
  const { part, where, action } = act;
  const { resource } = making;
  return {
    ...number,
    family: resource.name,
    where,
    kind: 'act',
    making,
    ...(digest === undefined ? {} : { digest }),
    prepare: async (world) => {
      const id = work.references.idOf(world, name);
      if (id === undefined) return undefined;
      const refer = await work.references.read(world, targetsOf([act], ownerOf(record, part), work.elements.scope));
      if (refer === undefined) return undefined;
      // A record found by its key is left as it is.
      if (work.references.isFound(world, name)) return { did: 'left', made: [] };
      const { value, isOpen } = valueIn(record, act, part, { scope: work.elements.scope, refer });
      return preparedAction(resource, action, id, isOpen ? undefined : action.bodyOf(value, placeText(where)), world.api);
    },
    lookFor: (sent) => actionLook(resource, action, sent),
  };
}
