// The part of WebAssembly that the thread of jq uses: TypeScript has its types only together with those of browsers.

declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Instantiated {
    readonly instance: { readonly exports: Readonly<Record<string, unknown>> };
  }
  let instantiate: (code: Uint8Array, imports: object) => Promise<Instantiated>;
}
