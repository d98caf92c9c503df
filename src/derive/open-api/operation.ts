// One operation of the OpenAPI document: parameters, body, every answer, and the examples of both.

import type { Resource } from '../../resources/define.ts';
import { idSchema, type Json, problem, ref } from './components.ts';
import { samples } from './samples.ts';
import { operationWords } from './words.ts';

/** What a service answered to the sample request of an operation, by operationId. */
export type Answers = Readonly<Record<string, unknown>>;

/** One operation: where it is, and what the document says of it. */
export interface DescribedEndpoint {
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  readonly path: string;
  readonly operation: Json & { readonly operationId: string; readonly responses: Json };
}

/** An answer's schema, and what may come in its place where the interface doesn't show it. */
export interface AnswerSchema {
  readonly schema: Json;
  readonly bare?: Json;
  readonly links?: Json;
}

/** What is particular about an operation. */
interface Particulars {
  readonly parameters?: readonly Json[];
  /** The name of the body's schema. */
  readonly body?: string;
  /** The body as a form, when it differs. */
  readonly form?: Json;
  readonly answers: Readonly<Record<number, AnswerSchema>>;
  /** The verb under which the interface may not show the answer. */
  readonly verb?: string;
  readonly conflict?: string | undefined;
  readonly refuses?: readonly ('NotFound' | 'Invalid')[];
}

const statuses = { Unauthorized: 401, NotFound: 404, Invalid: 422, TooMany: 429, Failed: 500 } as const;

/** Gives the function that describes the operations of a family, one at a time. `examples`: what was answered to their samples. */
export function describer(family: Resource, examples: Answers) {
  return (
    method: DescribedEndpoint['method'],
    path: string,
    operationId: string,
    summary: string,
    particulars: Particulars,
  ): DescribedEndpoint => {
    const { parameters: query = [], body, form, answers, verb = '', conflict, refuses = ['NotFound'] } = particulars;
    const isShown = !family.notShown?.includes(verb);
    const refused = (['Unauthorized', ...refuses, 'TooMany', 'Failed'] as const).map((name) => [statuses[name], ref('responses', name)]);
    const answered = Object.entries(answers).map(([status, answer]) => [status, answerOf(answer, isShown, examples[operationId])]);
    const noBody =
      !isShown && method !== 'get' ? [[204, { description: 'The same without a body: the interface does not show the answer.' }]] : [];
    const conflicts = conflict === undefined ? [] : [[409, problem(conflict, 'Problem')]];
    const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(family, name, operationId));
    return {
      method,
      path,
      operation: {
        operationId,
        tags: [family.name],
        summary,
        ...(operationWords[operationId] !== undefined && { description: operationWords[operationId] }),
        ...(pathParameters.length + query.length > 0 && { parameters: [...pathParameters, ...query] }),
        ...(body !== undefined && { requestBody: requestBody(body, form, samples[operationId]?.body) }),
        responses: Object.fromEntries([...answered, ...noBody, ...conflicts, ...refused]),
      },
    };
  };
}

function pathParameter(family: Resource, name: string, operationId: string): Json {
  const noun = name === 'id' ? family.singular : name.replace(/_id$/, '');
  const example = samples[operationId]?.[name === 'id' ? 'id' : 'childId'] ?? 1;
  return { name, in: 'path', required: true, description: `Which ${noun}`, schema: idSchema, example };
}

function requestBody(name: string, form: Json | undefined, example: Json | undefined): Json {
  const asJson = { schema: ref('schemas', name), ...(example && { example }) };
  const asForm = form === undefined ? asJson : { ...form, ...(example && { example: bracketed(example) }) };
  return { required: true, content: { 'application/json': asJson, 'application/x-www-form-urlencoded': asForm } };
}

const bracketed = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [Array.isArray(value) ? `${name}[]` : name, value]));

function answerOf({ schema, bare, links }: AnswerSchema, isShown: boolean, example: unknown): Json {
  const isOpen = !isShown && bare !== undefined;
  const content = { schema: isOpen ? { anyOf: [schema, bare] } : schema, ...(example !== undefined && { example }) };
  return {
    description: isOpen
      ? 'Done. The interface does not show this answer: likely the envelope, maybe what stands in its data alone.'
      : 'Done.',
    content: { 'application/json': content },
    ...(links && { links }),
  };
}
