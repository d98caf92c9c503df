// The endpoints in docs/openapi.json: the endpoints of the interface document, and the endpoints of reference records, which an
// installation may lack.

import { operations } from './open-api.ts';

/** The families that the vendor documents beside the interface (vendor facts: reference records). */
export const referenceNames = ['clients', 'team', 'categories', 'projects', 'tasks'];

const isReference = ({ tags }: { readonly tags: readonly string[] }): boolean => tags.some((tag) => referenceNames.includes(tag));

export const endpoints = operations.filter((one) => !isReference(one)).map(({ endpoint }) => endpoint);
export const referenceEndpoints = operations.filter(isReference).map(({ endpoint }) => endpoint);

const patterns = [...endpoints, ...referenceEndpoints].map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.replace(/\{\w+\}/g, '[^/ ]+')}$`),
}));

/** The endpoint of a request, whose path has no query; undefined for an unknown endpoint. */
export function endpointOf({ method, path }: { readonly method: string; readonly path: string }): string | undefined {
  return patterns.find(({ pattern }) => pattern.test(`${method} ${path}`))?.endpoint;
}
