// For commands that pass many records through: a garbage collector that gives memory back rather than letting it grow.

/**
 * Makes V8 favour memory over speed from here on. What a long list holds on to is small and constant; without this the
 * process still grows by half, because collecting late is faster. Only a run that calls this loads node:v8.
 */
export function favourMemory(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--optimize-for-size');
}
