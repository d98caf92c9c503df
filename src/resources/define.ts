// What a resource family is made of. Data only: nothing here does I/O, and nothing here names a family.
// Flags, request bodies, columns, help, completions and the embedded CRM all read these declarations.

import type { Named, ValueType } from '../values/value-type.ts';

export const text: ValueType = { kind: 'text' };
/** A text that may also be given as `@file` or `-`. */
export const longText: ValueType = { kind: 'text', long: true };
export const email: ValueType = { kind: 'email' };
export const id: ValueType = { kind: 'id' };
/** The id of something that has a name. */
export const idOf = (of: Named): ValueType => ({ kind: 'id', of });
export const integer: ValueType = { kind: 'integer' };
export const decimal: ValueType = { kind: 'decimal' };
export const date: ValueType = { kind: 'date' };
/** A day or a moment of which no document says which. It is read, never sent. */
export const dayOrMoment: ValueType = { kind: 'date', time: 'maybe' };
export const idOrName = (of: Named): ValueType => ({ kind: 'id-or-name', of });
export const choice = (...values: string[]): ValueType => ({ kind: 'choice', values });
/** true or false as it reads back. */
export const truth: ValueType = { kind: 'choice', values: ['true', 'false'], isBoolean: true };
/** `off`: what the service takes for its default. */
export const toggle = (sends: string, off?: string): ValueType => ({ kind: 'switch', sends, ...(off !== undefined && { off }) });
export const reference = (...types: string[]): ValueType => ({ kind: 'reference', types });
export const numbered = (max: number): ValueType => ({ kind: 'numbered', max });

/** A value that the service takes in a create or update body. */
export interface Field {
  /** The name that the user types, without the two hyphens: `first-name`. */
  readonly flag: string;
  /** The name in the request body: `lead_firstname`. */
  readonly wire: string;
  /** Where the value reads back in a record, dotted: `contact.first_name`. Absent: it does not. */
  readonly read?: string;
  readonly type: ValueType;
  readonly help: string;
  /** The service insists on it: on create the user must give it, on update it is sent back when unchanged. */
  readonly required?: true;
  /** No two records may have the same value, whatever its case. */
  readonly unique?: true;
  /** The command that lists the ids that it takes, where its type doesn't tell. */
  readonly listedBy?: string;
  /** The only body that takes it; absent: both do. */
  readonly only?: 'create' | 'update';
  /** The flag of a date that this date must not come before. */
  readonly notBefore?: string;
  /** An update leaves it out unless the user gave it, because the service keeps it. */
  readonly sentWhenGiven?: true;
}

/** A query parameter that narrows a list. */
export interface Filter {
  readonly flag: string;
  readonly wire: string;
  readonly type: ValueType;
  readonly help: string;
  /** Where records hold what it narrows by, when that is not under the name of the flag. */
  readonly read?: string;
  /** The command that lists the ids that it takes, where its type doesn't tell. */
  readonly listedBy?: string;
  /** What the flag was called before; it goes on working. */
  readonly formerly?: string;
  /** `none` means the records that have nobody and nothing there, which only crm itself can tell. */
  readonly takesNone?: true;
}

/**
 * What a record is for a reader, where several members say it together: the first word whose member holds its value; the last one has
 * no member. Lists have a flag of this name, --where knows it, and the interface doesn't.
 */
export interface Standing {
  readonly name: string;
  readonly help: string;
  readonly words: readonly StandingWord[];
}

export interface StandingWord {
  readonly word: string;
  /** What a terminal says of a record, where that is another word. */
  readonly shown?: string;
  readonly path?: string;
  readonly is?: string;
  /** The value of the service's own filter that all of these records have: `active_state=archived`. */
  readonly narrows?: readonly [flag: string, value: string];
  readonly meaning?: Meaning;
  /** Whoever such a record is about is a customer by now. */
  readonly isCustomer?: true;
}

/** How a value stands for whoever looks at it: done well, waiting for somebody, gone wrong, or over. */
export type Meaning = 'good' | 'waiting' | 'bad' | 'past';

/** A column of the family's table. */
export interface Column {
  /** Dotted path into the record. */
  readonly path: string;
  /** Default: the path's words. */
  readonly header?: string;
  readonly align?: 'right';
  /** Which columns a narrow terminal keeps: those with the smaller numbers. Default: its place among them, from 1. */
  readonly priority?: number;
  /** Only a terminal shows it, or only what is no terminal: there the columns are what scripts know. */
  readonly terminal?: boolean;
  /** How a terminal shows it: under this header, and where it is empty with the value of another path. */
  readonly drawn?: { readonly header: string; readonly orElse: string };
  /** A terminal shows the value in the first of the rows that share it. */
  readonly once?: true;
  /** Of a longer array a table names so many elements, and says how many more there are; --fields has them all. */
  readonly most?: number;
  /** A terminal shows the record's standing in its place. */
  readonly standing?: true;
}

/**
 * Members of a record on one line: `contact.first_name contact.last_name, contact.job_position · contact.email`. What is empty is left
 * out with what joins it. A word that is no member stands before the member behind it: `from source`; `#tags` has the sign before each.
 */
export type Phrase = string;

/** How one record is shown by itself on a terminal. Members that nothing here names follow under the first part of their paths. */
export interface View {
  /** Beside the id, where the family has no standing: `task 33 · active`. */
  readonly state?: string;
  /** Under the title: what matters most. */
  readonly facts: readonly Phrase[];
  /** Labelled lines, in order. */
  readonly groups: readonly (readonly [label: string, ...lines: Phrase[]])[];
  /**
   * Left out: what other members say already (`first_name`), and a value that goes without saying (`account_owner=no`), or that another
   * member has, too (`dates.updated=dates.created`).
   */
  readonly unsaid?: readonly string[];
  /** Its lines where it is one of several that hang on another record. Default: what it is called. */
  readonly entry?: readonly Phrase[];
}

/** Records that hang on one record: those of a family that a filter finds, or a list of their own below the record. */
export type Attached = {
  /** What `get --with` calls them, and where JSON holds them; of a family, its name. */
  readonly name: string;
  /** The service deletes them along with the record (interface: Leads, "Related records are deleted too"). */
  readonly takenAlong?: true;
} & (
  | {
      /** The family's filter, by its flag; `type`: what stands before the id in its value, as in `lead:12`. */
      readonly filter: string;
      readonly type?: string;
    }
  | {
      /** Below the record's path. */
      readonly path: string;
      /** What they are. */
      readonly records: Pick<Resource, 'singular' | 'title' | 'record' | 'columns' | 'types' | 'view'>;
    }
);

/** A list that hangs below a record and has no family of its own: comments. */
export type AttachedList = Extract<Attached, { readonly path: string }>;

/** When the service answers 409, and the error code that says so (interface: Errors). */
interface Conflict {
  readonly code: 'already_converted' | 'no_client_account';
  readonly when: string;
}

/** An action on one record: a PUT that carries nothing, or one value from the command line. */
export interface Action {
  readonly verb: string;
  readonly aliases?: readonly string[];
  /** Below the record's path. */
  readonly path: string;
  readonly summary: string;
  /** The one value that it carries. */
  readonly value?: { readonly name: string; readonly wire: string; readonly type: ValueType; readonly help: string };
  /** What became of the record: `archived`. An action with a value tells the value in place of it. */
  readonly done?: string;
  /** What records hold once it is done. */
  readonly reads?: { readonly path: string; readonly value: string };
  /** What new records are. Where it isn't so, it is done before anything else is written. */
  readonly initial?: true;
  /** The action that takes it back, and what the record is then: `active again`. */
  readonly undo?: { readonly verb: string; readonly leaves: string };
  /** Takes several records at once. */
  readonly many?: true;
  /** Sets a whole value and nothing else, so that sending it again changes nothing more. */
  readonly repeatable?: true;
  readonly conflict?: Conflict;
}

/** An operation on one record that carries a body of its own: a POST that makes something. Its command is a file of its own. */
export interface Operation {
  readonly verb: string;
  /** Below the record's path. */
  readonly path: string;
  /** What it makes, for messages: `a clone`. */
  readonly makes: string;
  /** What its body holds. `read`: where the record itself holds the value, which is taken when it is not given. */
  readonly fields: readonly Field[];
  readonly oneOf?: OneOf;
  /** What the service answers. Default: a record of the family. */
  readonly answers?: 'client' | 'comment';
  readonly conflict?: Conflict;
}

/** An array on a record that is replaced as a whole: tags, assignees. */
export interface ReplacedSet {
  readonly verb: string;
  readonly aliases?: readonly string[];
  readonly path: string;
  readonly wire: string;
  /** Where it reads back. */
  readonly read: string;
  /** The member that identifies an element where elements are objects. */
  readonly element?: string;
  /** What one element is called, and its type. */
  readonly value: { readonly name: string; readonly type: ValueType };
  readonly summary: string;
  /** The flag by which create gives it: a request of its own, once the record is there. */
  readonly atCreation?: string;
}

/** Exactly one of some create flags is given, and its name is sent as well. */
export interface OneOf {
  readonly wire: string;
  readonly flags: readonly string[];
}

export interface Resource {
  readonly name: string;
  readonly singular: string;
  /** What messages call several. Default: the name. */
  readonly plural?: string;
  readonly path: string;
  readonly summary: string;
  /** Nothing of it is created, changed or deleted here: its commands are list and get. */
  readonly readOnly?: true;
  /** Its records have names, and this is what the id of one is: `get` takes the name in its place. */
  readonly namedAs?: Named;
  /** Where a record holds what it is called. */
  readonly title?: string;
  /** Members that tell it from others of that title: `lead 12 "Fleet tracking" (New, 1200.00)`. */
  readonly tells?: readonly string[];
  /** What create and update bodies hold; of what is only read, nothing. */
  readonly fields: readonly Field[];
  readonly oneOf?: OneOf;
  /** Every documented member of a record, dotted, in the order of the interface document: CSV columns and record views. */
  readonly record: readonly string[];
  /** Types of documented members that no field, set or filter has; absent: ids, dates, else texts. */
  readonly types?: Readonly<Record<string, ValueType>>;
  /** Members that may be null; of an object that is named here, each of its members. */
  readonly nullable?: readonly string[];
  /** Members that are arrays and that no set replaces: of texts, or of records with id and name. */
  readonly arrays?: readonly string[];
  /** Its create and update bodies also take custom fields by names of their own. */
  readonly customNames?: true;
  /** What create and update answer, when it isn't the whole record. */
  readonly answers?: Readonly<Partial<Record<'create' | 'update', readonly string[]>>>;
  /** Verbs whose answers the interface does not show. */
  readonly notShown?: readonly string[];
  readonly columns: readonly Column[];
  /** How the values of some members stand, by path and value; a terminal colours them by it. */
  readonly meanings?: Readonly<Record<string, Readonly<Record<string, Meaning>>>>;
  readonly filters: readonly Filter[];
  readonly standing?: Standing;
  /** The user's sort names to the service's. */
  readonly sort: Readonly<Record<string, string>>;
  /** The order that the service applies when none is given, where the interface says so. */
  readonly defaultOrder?: 'asc' | 'desc';
  readonly actions?: readonly Action[];
  /** Actions that look at the record first: each has a command file of its own. */
  readonly guarded?: readonly Action[];
  readonly sets?: readonly ReplacedSet[];
  readonly operations?: readonly Operation[];
  /** How one record is shown by itself. */
  readonly view?: View;
  /** What hangs on a record. */
  readonly attached?: readonly Attached[];
  /** Flags that a new record is worth having, though the service wants none of them. */
  readonly offers?: readonly string[];
  /** Command lines per verb that work against the demo data; help shows them, and a test runs them. `ids`: those that list the ids that create takes. */
  readonly examples: Readonly<Record<string, readonly string[]>>;
}

/** What messages call several records of a family. */
export const pluralOf = ({ plural, name }: Resource): string => plural ?? name;

export const attachedLists = ({ attached = [] }: Resource): AttachedList[] => attached.filter((one) => 'path' in one);

export const resource = (declaration: Resource): Resource => declaration;
