/** Types of shared-modules.mjs, for its test. */
export function isShared(path: string): boolean;
