import { maskSecrets } from '#lib/kernel';

/** A server's own words in an error, in characters. */
const MAX_WORDS = 1_000;

/** The words of a server, shortened. Secrets are masked first: a cut could leave the beginning of one, which no mask finds. */
export const words = (said: string, masks: readonly string[]): string =>
  (maskSecrets(said, masks) as string).slice(0, MAX_WORDS);
