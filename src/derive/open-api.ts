// The OpenAPI 3.1 document of the service's interface, from the declarations: what every endpoint takes and answers. Pure.

import type { Resource } from '../resources/define.ts';
import { common, headers, type Json, namedSchemas, parameters, problems } from './open-api/components.ts';
import { endpointsOf } from './open-api/endpoints.ts';
import type { Answers } from './open-api/operation.ts';

/** The document, its members in a fixed order. `answers` become the examples of answers. */
export function openApi(families: readonly Resource[], version: string, answers: Answers = {}): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, operation } of families.flatMap((family) => endpointsOf(family, answers))) {
    paths[path] = { ...paths[path], [method]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'CRM service',
      version,
      summary: 'Contacts, proposals, leads, catalog items and notes, and the records that they refer to',
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{base_url}', description: 'Where the service is', variables: { base_url: { default: 'http://127.0.0.1:8080' } } }],
    security: [{ key: [] }],
    tags: families.map(({ name, summary }) => ({ name, description: `${summary}.` })),
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'The API key, behind the word Bearer.' } },
      parameters,
      headers,
      responses: problems,
      schemas: { ...common, ...Object.assign({}, ...families.map(namedSchemas)) },
    },
  };
}

const about =
  'Made by crm-admin from the declarations that its commands, its embedded CRM and its completions work from. ' +
  'Bodies are forms (arrays as repeated `name[]` fields) or JSON. An empty text in a field that may be left out clears it. ' +
  'Decimals are texts in answers, so that no digit is lost. Records may have members that stand nowhere here. ' +
  'Where the service documents no answer ("not shown"), the document says what is likely and leaves it open: such an answer may come ' +
  'without the envelope, or without a body.';
