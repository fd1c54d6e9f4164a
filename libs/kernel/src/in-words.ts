const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A length of time as people say it, and exactly: `50 min`, `1 h 30 min`, `2 min 5 s`. */
export function secondsInWords(seconds: number): string {
  let left = seconds;
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${String(count)} ${unit}`];
  });
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** `1 target`, `2 targets`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : many}`;

const TOOL_RISKS: Readonly<Record<string, string>> = {
  state_change_prod: 'changes production',
  state_change_nonprod: 'changes what is not production',
  read_only: 'only reads',
  plan_only: 'only plans',
};

/** A tool's risk as people say it; one that nobody knows of any more is said to be unknown. */
export const toolRiskInWords = (risk: string): string => TOOL_RISKS[risk] ?? `risk ${risk}`;

/** What was probably meant, as a sentence: a word is asked about, a sentence speaks for itself. */
export const suggestionInWords = (suggestion: string): string =>
  /^[A-Z][^ ]* /.test(suggestion) ? suggestion : `Did you mean ${suggestion}?`;

/** How far a destination of incidents is reached: what follows its name, as people read it. */
export const REACH_IN_WORDS = {
  answers: 'took the last test message',
  silent: 'did not take the last test message',
  untested: 'never had a test message',
  unmapped: 'has no address',
} as const;
