// The build, as far as tests use it: what it makes is judged, not only what it is made of.

interface Build {
  readonly root: string;
  bundleLibrary(dir: string): Promise<readonly Chunk[]>;
}

export interface Chunk {
  readonly fileName: string;
  readonly moduleIds?: readonly string[];
  /** What it imports from the start. */
  readonly imports?: readonly string[];
}

export const { bundleLibrary, root } = (await import(new URL('../../build.js', import.meta.url).href)) as Build;
