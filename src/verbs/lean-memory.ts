// For long lists: makes the garbage collector keep memory small.

/**
 * Makes V8 favour memory over speed from here on. A long list needs little memory at any time, but without this the process
 * grows by half, because collecting late is faster. Only a run that calls this loads node:v8.
 */
export function favourMemory(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--optimize-for-size');
}
