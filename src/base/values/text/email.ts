// Checks of an email address that need no network. Pure.

/** True for an address without a dot after its @, such as `a@localhost`. A service may take such an address, but mail doesn't arrive. */
export const isUnreachable = (email: string): boolean => /@[^.]*$/.test(email.trim());
