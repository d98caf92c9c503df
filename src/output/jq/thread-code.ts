// The code of the thread that runs jq: its file here. The build replaces this module by the bundled code, for the installed program and
// the executable.

export const threadCode: string | URL = new URL('./thread.ts', import.meta.url);
