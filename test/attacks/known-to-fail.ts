// Attacks that still succeed. Each runs, and has to: whoever mends what is behind one takes its name off this list.

export const knownToFail: ReadonlySet<string> = new Set<string>([
  // lists
  'sixty unknown names of clients: the list is not read sixty times, and --rate holds',
]);
