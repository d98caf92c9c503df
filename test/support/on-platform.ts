// Plays another platform for the code that asks for it: both `process.platform` and `platform()` of node:os tell the given one.

/** Runs `work` as on a platform. */
export async function on<T>(platform: NodeJS.Platform, work: () => T | Promise<T>): Promise<T> {
  const own = process.platform;
  const tell = (value: NodeJS.Platform): unknown => Object.defineProperty(process, 'platform', { value });
  tell(platform);
  try {
    return await work();
  } finally {
    tell(own);
  }
}
