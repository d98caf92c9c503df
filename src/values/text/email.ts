// What can be told of an email without asking anybody. Pure.

/** Whether an address has no dot behind its @: a service may take it, and no mail outside its own machine arrives. */
export const isUnreachable = (email: string): boolean => /@[^.]*$/.test(email.trim());
