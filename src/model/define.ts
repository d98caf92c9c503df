// The types of a family's declaration. Data only: no I/O, and no family is named here. Flags, request bodies, columns, help, completions
// and the embedded CRM all read the declarations.

import type { Named, ValueType } from '../base/values/value-type.ts';

export const text: ValueType = { kind: 'text' };
/** A text that the user may also give as `@file` or `-`. */
export const longText: ValueType = { kind: 'text', long: true };
export const phone: ValueType = { kind: 'text', form: 'phone' };
export const postalCode: ValueType = { kind: 'text', form: 'postal code' };
export const webAddress: ValueType = { kind: 'text', form: 'website' };
export const email: ValueType = { kind: 'email' };
export const id: ValueType = { kind: 'id' };
/** The id of a thing that has a name. The user may give the name. */
export const idType = (of: Named): ValueType => ({ kind: 'id', of });
export const integer: ValueType = { kind: 'integer' };
export const decimal: ValueType = { kind: 'decimal' };
export const date: ValueType = { kind: 'date' };
/** A day or a time stamp: the documents don't say which. Only read, never sent. */
export const dayOrMoment: ValueType = { kind: 'date', time: 'maybe' };
export const idOrName = (of: Named): ValueType => ({ kind: 'id-or-name', of });
export const choice = (...values: string[]): ValueType => ({ kind: 'choice', values });
/** true or false in records. */
export const truth: ValueType = { kind: 'choice', values: ['true', 'false'], isBoolean: true };
/** `off` is the service's word for the opposite. */
export const toggle = (sends: string, off?: string): ValueType => ({ kind: 'switch', sends, ...(off !== undefined && { off }) });
export const reference = (...types: string[]): ValueType => ({ kind: 'reference', types });
export const numbered = (max: number, of: Named): ValueType => ({ kind: 'numbered', max, of });

/** A value that the service takes in a create or update body. */
export interface Field {
  /** The name that the user types, without the two hyphens: `first-name`. */
  readonly flag: string;
  /** The name in the request body: `lead_firstname`. */
  readonly wire: string;
  /** The dotted path of the value in a record: `contact.first_name`. Absent: records don't have the value. */
  readonly read?: string;
  readonly type: ValueType;
  readonly help: string;
  /** The service requires the value. A create needs the flag; an update sends the unchanged value back. */
  readonly required?: true;
  /** No two records may have the same value, in any case of letters. */
  readonly unique?: true;
  /** The command that lists the accepted ids, when the type doesn't say. */
  readonly listedBy?: string;
  /** The only body that takes the field. Absent: both bodies do. */
  readonly only?: 'create' | 'update';
  /** The flag of a date that this date must not come before. */
  readonly notBefore?: string;
  /** An update sends the field only when the user gave it: the service keeps the old value. */
  readonly sentWhenGiven?: true;
}

/** A query parameter that narrows a list. */
export interface Filter {
  readonly flag: string;
  readonly wire: string;
  readonly type: ValueType;
  readonly help: string;
  /** The path of the filtered value in records. Default: the flag with underscores. */
  readonly read?: string;
  /** The command that lists the accepted ids, when the type doesn't say. */
  readonly listedBy?: string;
  /** The word `none` finds records without a value here. The service has no such filter, so crm filters. */
  readonly takesNone?: true;
  /** What the service's search looks in, and the member in which people look and the search does not. */
  readonly searches?: { readonly only: string; readonly not: string };
}

/**
 * The standing of a record: a word that sums up several members (`won`). A record has the first word that fits: the word's member has the
 * word's value. The last word fits every record. Lists have a flag with the standing's name, and --where takes the name, too; the interface
 * has no such member.
 */
export interface Standing {
  readonly name: string;
  readonly help: string;
  readonly words: readonly StandingWord[];
}

export interface StandingWord {
  readonly word: string;
  /** The word on a terminal, when different. */
  readonly shown?: string;
  readonly path?: string;
  readonly is?: string;
  /** A filter of the service that all records with this word pass: `active_state=archived`. */
  readonly narrows?: readonly [flag: string, value: string];
  readonly meaning?: Meaning;
  /** True when the person or company of a record with this word is a customer. */
  readonly isCustomer?: true;
}

/** The meaning of a value for a reader: done well, waiting for somebody, gone wrong, or over. */
export type Meaning = 'good' | 'waiting' | 'bad' | 'past';

/** A column of the family's table. */
export interface Column {
  /** Dotted path into the record. */
  readonly path: string;
  /** Default: the path's words. */
  readonly header?: string;
  readonly align?: 'right';
  /** The rank of the column: a narrow terminal keeps the columns with the smallest numbers. Default: the column's position, from 1. */
  readonly priority?: number;
  /** True: only terminals show the column. False: only output that is no terminal shows the column, for scripts that expect the column. */
  readonly terminal?: boolean;
  /** Another header on terminals, and the path of the value that a terminal shows in place of an empty value. */
  readonly drawn?: { readonly header: string; readonly orElse: string };
  /** A terminal shows the value only in the first of several rows with the same value. */
  readonly once?: true;
  /** A terminal doesn't cut the value where it is short, such as the outcome of a run. */
  readonly whole?: true;
  /** The most elements of an array that a table shows. The table tells the number of further elements; --fields shows all. */
  readonly most?: number;
  /** A terminal shows the record's standing instead. */
  readonly standing?: true;
}

/**
 * Members of a record on a line, with what stands between them: `contact.first_name contact.last_name, contact.job_position`. An empty
 * member goes with the separator before it. A word that is no member goes with the member after it: `from source`. `#tags` puts the sign
 * before each tag.
 */
export type Phrase = string;

/** The view of a single record on a terminal. Members that the view doesn't name follow, grouped by the first part of their paths. */
export interface View {
  /** The member beside the id, for a family without standings: `task 33 · active`. */
  readonly state?: string;
  /** The most important members, under the title. */
  readonly facts: readonly Phrase[];
  /** Labelled lines, in order. */
  readonly groups: readonly (readonly [label: string, ...lines: Phrase[]])[];
  /**
   * The members that are left out: repetitions (`first_name`), values that go without saying (`account_owner=no`), and values equal to
   * another member's (`dates.updated=dates.created`).
   */
  readonly unsaid?: readonly string[];
  /** The lines of a record in a list under another record. Default: its title. */
  readonly entry?: readonly Phrase[];
}

/** Records attached to a record. Either a family, found by a filter, or a list below the record's path. */
export type Attached = {
  /** The name for `get --with`, and in JSON; for a family, the family's name. */
  readonly name: string;
  /** The service deletes the attached records with the record (interface: Leads, "Related records are deleted too"). */
  readonly takenAlong?: true;
} & (
  | {
      /** The flag of the family's filter. `type` comes before the id in the filter's value, as in `lead:12`. */
      readonly filter: string;
      readonly type?: string;
    }
  | {
      /** Below the record's path. */
      readonly path: string;
      /** The shape of the attached records. */
      readonly records: Pick<Resource, 'singular' | 'title' | 'record' | 'columns' | 'types' | 'view'>;
    }
);

/** A list below a record that is no family: comments. */
type AttachedList = Extract<Attached, { readonly path: string }>;

/** The case in which the service answers 409, with the error code of crm (interface: Errors). */
interface Conflict {
  readonly code: 'already_converted' | 'no_client_account';
  readonly when: string;
}

/** An action on a record: a PUT without a body, or with a single value. */
export interface Action {
  readonly verb: string;
  readonly aliases?: readonly string[];
  /** Below the record's path. */
  readonly path: string;
  readonly summary: string;
  /** The value in the body. */
  readonly value?: { readonly name: string; readonly wire: string; readonly type: ValueType; readonly help: string };
  /** The result for messages: `archived`. For an action with a value, messages name the value instead. */
  readonly done?: string;
  /** The value in a record after the action. */
  readonly reads?: { readonly path: string; readonly value: string };
  /** True when new records have the state of this action. Among several writes to a record, this action comes first. */
  readonly initial?: true;
  /** The action archives records: a merge ends with it, and a list may leave such records out. The action has `reads`. */
  readonly archives?: true;
  /** The value of new records, for an action with a value. */
  readonly starts?: string;
  /** The opposite action, and the state that it leaves: `active again`. */
  readonly undo?: { readonly verb: string; readonly leaves: string };
  /** Takes several records at once. */
  readonly many?: true;
  /** The action sets a whole value, so sending it twice changes nothing more. */
  readonly repeatable?: true;
  readonly conflict?: Conflict;
}

/** An operation on a record with a body of its own: a POST that makes something. Each operation has its own command file. */
export interface Operation {
  readonly verb: string;
  /** Below the record's path. */
  readonly path: string;
  /** The made thing for messages: `a clone`. */
  readonly makes: string;
  /** The fields of the body. A field with `read` defaults to the record's value. */
  readonly fields: readonly Field[];
  readonly oneOf?: OneOf;
  /** The kind of the answer. Default: a record of the family. */
  readonly answers?: 'client' | 'comment';
  readonly conflict?: Conflict;
}

/** An array of a record that is replaced as a whole: tags, assignees. */
export interface ReplacedSet {
  readonly verb: string;
  readonly aliases?: readonly string[];
  readonly path: string;
  readonly wire: string;
  /** The path of the array in records. */
  readonly read: string;
  /** The member with the id of an element, when elements are objects. */
  readonly element?: string;
  /** The name and the type of an element. */
  readonly value: { readonly name: string; readonly type: ValueType };
  readonly summary: string;
  /** The flag of create for the set. The set is sent by a second request, after the create. */
  readonly atCreation?: string;
}

/** Create flags of which exactly one is given. The name of the given flag is sent in `wire`. */
export interface OneOf {
  readonly wire: string;
  readonly flags: readonly string[];
}

export interface Resource {
  readonly name: string;
  readonly singular: string;
  /** The plural for messages. Default: the name. */
  readonly plural?: string;
  readonly path: string;
  readonly summary: string;
  /** The family is only read: its commands are list and get. */
  readonly readOnly?: true;
  /** The kind of thing, for a family whose records have names. `get` then takes a name in place of the id. */
  readonly namedAs?: Named;
  /** The path of an email that is unique: commands take it in place of the id. */
  readonly emailIn?: string;
  /** The path of a record's title. */
  readonly title?: string;
  /** The flags of a title that is no field itself. */
  readonly titleFlags?: readonly string[];
  /** Members that tell records of the same title apart: `lead 12 "Fleet tracking" (New, 1200.00)`. */
  readonly tellApart?: readonly string[];
  /** The fields of create and update bodies; empty for a family that is only read. */
  readonly fields: readonly Field[];
  readonly oneOf?: OneOf;
  /** Every documented member of a record, dotted, in the order of the interface document: CSV columns and record views. */
  readonly record: readonly string[];
  /** Types of documented members that no field, set or filter declares. Default: ids and dates by their names, else texts. */
  readonly types?: Readonly<Record<string, ValueType>>;
  /** Members that may be null. For an object, each of its members may be null. */
  readonly nullable?: readonly string[];
  /** Arrays that no set replaces: of texts, or of records with id and name. */
  readonly arrays?: readonly string[];
  /** Names that crm makes of several members, for --where, --sort and --fields: a lead's `name` is first and last name. No record has them. */
  readonly joined?: Readonly<Record<string, readonly string[]>>;
  /** Create and update bodies also take custom fields, by wire names of their own. */
  readonly customNames?: true;
  /** The members in the answers of create and update, when an answer is not the whole record. */
  readonly answers?: Readonly<Partial<Record<'create' | 'update', readonly string[]>>>;
  /** Verbs whose answers the interface does not show. */
  readonly notShown?: readonly string[];
  readonly columns: readonly Column[];
  /** The meanings of values, by path and value. A terminal colours values by meaning. */
  readonly meanings?: Readonly<Record<string, Readonly<Record<string, Meaning>>>>;
  readonly filters: readonly Filter[];
  readonly standing?: Standing;
  /** The service's sort names, by the name that the user types. */
  readonly sort: Readonly<Record<string, string>>;
  /** The order of a list without `order`, when the interface says so. */
  readonly defaultOrder?: 'asc' | 'desc';
  readonly actions?: readonly Action[];
  /** Actions that read the record first. Each has its own command file. */
  readonly guarded?: readonly Action[];
  readonly sets?: readonly ReplacedSet[];
  readonly operations?: readonly Operation[];
  /** The view of a single record on a terminal. */
  readonly view?: View;
  /** The records attached to a record. */
  readonly attached?: readonly Attached[];
  /** Flags that a terminal asks for when creating, although the service doesn't require them. */
  readonly offers?: readonly string[];
  /**
   * Command lines by verb that work with the demo data. Help shows the command lines, and a test runs each. `ids` has commands that list
   * the ids for create.
   */
  readonly examples: Readonly<Record<string, readonly string[]>>;
}

/** The plural of a family for messages. */
export const pluralOf = ({ plural, name }: Resource): string => plural ?? name;

/** The path and the value by which a family's records show that they are archived. Undefined if the family archives none. */
export const archivedState = ({ actions = [] }: Pick<Resource, 'actions'>): Action['reads'] =>
  actions.find(({ archives }) => archives)?.reads;

export const attachedLists = ({ attached = [] }: Resource): AttachedList[] => attached.filter((one) => 'path' in one);

export const resource = (declaration: Resource): Resource => declaration;
