import { maskedBeginning } from '#lib/kernel';

/** A server's own words in an error, in characters. */
const MAX_WORDS = 1_000;

/** Replaces the secrets in a text. */
export type Hide = (said: string) => string;

/** The words of a server, shortened. */
export const words = (said: string, hide: Hide): string => maskedBeginning(said, MAX_WORDS, hide);
