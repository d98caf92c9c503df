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
    readOnly: z.boolean().optional(),
    me: z.string().optional(),
    columns: z.record(z.string(), z.array(z.string()).readonly()).optional(),
  })
  .refine((value) => value.key === undefined || value.keyCommand === undefined, 'has both key and keyCommand');

const document = z.looseObject({
  version: z.literal(1),
  current: z.string().optional(),
  profiles: z.record(z.string(), profile),
});

export type ProfilesDocument = z.infer<typeof document>;

/** The error for a file of profiles that is no such document, or, without a value, no JSON. It names the path and never quotes the contents. */
export function brokenProfiles(value: unknown, path: string): UnauthorizedError {
  const { error } = document.safeParse(value);
  const [issue] = error?.issues ?? [];
  const where = issue?.path.join('.');
  const shape = `does not have the shape of a profiles file: ${where ? `${where}: ` : ''}${issue?.message}`;
  return new UnauthorizedError(`${path} ${value === undefined ? 'is not valid JSON' : shape}. The file is left unchanged.`, {
    hint: `Correct ${path}, or move it away and add the profiles again.`,
    ...(value === undefined ? {} : { cause: error }),
  });
}
