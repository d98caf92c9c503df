// The functions of build/build.js that tests use to check the built files.

interface Build {
  readonly root: string;
  bundleLibrary(dir: string): Promise<readonly Chunk[]>;
}

export interface Chunk {
  readonly fileName: string;
  readonly moduleIds?: readonly string[];
  /** The chunks that load together with this chunk. */
  readonly imports?: readonly string[];
}

export const { bundleLibrary, root } = (await import(new URL('../../build/build.js', import.meta.url).href)) as Build;
