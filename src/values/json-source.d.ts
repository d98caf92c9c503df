// Types for JSON source text access (Node 22 has it; TypeScript's library does not name it yet).

interface RawJson {
  readonly rawJSON: string;
}

interface JSON {
  parse(text: string, reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
}
