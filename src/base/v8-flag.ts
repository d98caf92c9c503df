// Flags of V8 for the command; programs that use the library keep theirs.

/** The newest major version of Node with which the flags were tried: the pinned one. V8 tells a flag that it doesn't know on standard error. */
const newestTried = 26;

/** Sets a flag of V8 for the rest of the process; with a Node that nobody tried it with, does nothing. */
export function setV8Flag(flag: `--${string}`): void {
  if (Number.parseInt(process.versions.node, 10) <= newestTried) process.getBuiltinModule('node:v8').setFlagsFromString(flag);
}
