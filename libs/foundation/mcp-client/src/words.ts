/** A server's own words in an error, in characters. */
const MAX_WORDS = 1_000;

/** The words of a server, shortened. */
export const words = (said: string): string => said.slice(0, MAX_WORDS);
