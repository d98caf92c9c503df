// stub
export function completionScript(_s: string, _g: unknown): string { return ''; }
