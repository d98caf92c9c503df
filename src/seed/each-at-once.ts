// Work on several things at once.

/**
 * Runs work on things in their order, so many of them at once. The first error ends it once what is under way is
 * finished, and so does the signal, with its reason.
 */
export async function eachAtOnce<T>(
  things: readonly T[],
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const rest = things.values();
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const thing of rest) {
      if (failure !== undefined || signal.aborted) return;
      await work(thing).catch((error) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failure !== undefined) throw failure.error;
  signal.throwIfAborted();
}
