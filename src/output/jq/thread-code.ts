// The code of the thread in which jq runs: here its file; the build puts the bundled code itself in this place, so that the
// installed program and the executable start it alike.

export const threadCode: string | URL = new URL('./thread.ts', import.meta.url);
