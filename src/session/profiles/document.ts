// The shape of the profiles' file, and the error for a file of another shape. Members unknown to this version stay, at every level.

import * as z from 'zod';
import { UnauthorizedError } from '../../base/errors.ts';

const profile = z
  .looseObject({
    baseUrl: z.string(),
    key: z.string().optional(),
    keyCommand: z.string().optional(),
    encoding: z.enum(['form', 'json']).optional(),
    insecureHttp: z.boolean().optional(),
    protected: z.boolean().optional(),
    me: z.string().optional(),
  })
  .refine((value) => value.key === undefined || value.keyCommand === undefined, 'has both key and keyCommand');

const document = z.looseObject({
  version: z.literal(1),
  current: z.string().optional(),
  profiles: z.record(z.string(), profile),
});

export type ProfilesDocument = z.infer<typeof document>;

/** The document in a file. Throws UnauthorizedError, which names the path and never quotes the contents. */
export function parseProfiles(bytes: Uint8Array, path: string): ProfilesDocument {
  const { data, error } = document.safeParse(parseProfilesJson(bytes, path));
  if (error === undefined) return data;
  const [issue] = error.issues;
  const where = issue?.path.join('.');
  throw brokenProfiles(path, `does not have the shape of a profiles file: ${where ? `${where}: ` : ''}${issue?.message}`, error);
}

function parseProfilesJson(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the text, which may be a key.
    throw brokenProfiles(path, 'is not valid JSON');
  }
}

function brokenProfiles(path: string, what: string, cause?: unknown): UnauthorizedError {
  return new UnauthorizedError(`${path} ${what}. The file is left unchanged.`, {
    hint: `Correct ${path}, or move it away and add the profiles again.`,
    cause,
  });
}
