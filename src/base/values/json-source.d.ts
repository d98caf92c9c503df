// Types of JSON source text access, which Node 22 has and TypeScript's library lacks.

interface RawJson {
  readonly rawJSON: string;
}

interface JSON {
  parse(text: string, reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
}
