import { cleaned } from '#lib/kernel';

/** A server's own words in an error, in characters. */
const MAX_WORDS = 1_000;

/** Replaces the secrets in a text. */
export type Hide = (said: string) => string;

/** The words of a server, shortened. Secrets are hidden first: a cut could leave the beginning of one, which nothing finds. It may leave half a character. */
export const words = (said: string, hide: Hide): string => cleaned(hide(said).slice(0, MAX_WORDS));
