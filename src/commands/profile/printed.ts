// What --json prints of a profile: its members and their types.

export const profileMembers = {
  name: 'text',
  base_url: 'text',
  key: 'text',
  encoding: 'text',
  me: 'text|null',
  protected: 'boolean',
  insecure_http: 'boolean',
  current: 'boolean',
} as const;
