// How a key is shown: enough to tell two keys apart, too little to use one.

/** `crm_…a1b2`: a prefix that names the kind of key, and the last four characters. A key under 12 characters is all `…`. */
export function maskKey(key: string): string {
  if (key.length < 12) return '…';
  const prefix = /^[A-Za-z]{2,6}_/.exec(key)?.[0] ?? '';
  return `${prefix}…${key.slice(-4)}`;
}
