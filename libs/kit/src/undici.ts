/** Loaded at its first use: a process that calls nobody over HTTP starts without it. */
export const undici = () => require('undici') as typeof import('undici');
