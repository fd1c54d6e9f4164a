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

/** `2 days 4 h`, `3 h 12 min`, `4 h`, `4 min 7 s`, `12 s`: as much of a length of time as matters. */
export function inDuration(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < 1_000) return `${String(Math.round(milliseconds))} ms`;
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return both(counted(days, 'day'), hours % 24, 'h');
  if (hours > 0) return both(`${String(hours)} h`, minutes % 60, 'min');
  if (minutes > 0) return both(`${String(minutes)} min`, seconds % 60, 's');
  return `${String(seconds)} s`;
}

const both = (larger: string, rest: number, smaller: string): string =>
  rest === 0 ? larger : `${larger} ${String(rest)} ${smaller}`;

/** A limit as people set it: `5 minutes`, `12 hours`, `1 hour 30 minutes`, `30 days`. */
export function minutesInWords(minutes: number): string {
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor((minutes % 1_440) / 60);
  const rest = minutes % 60;
  const parts = [
    ...(days === 0 ? [] : [counted(days, 'day')]),
    ...(hours === 0 ? [] : [counted(hours, 'hour')]),
    ...(rest === 0 && minutes > 0 ? [] : [counted(rest, 'minute')]),
  ];
  return parts.join(' ');
}

/** Said wherever the waits of a run were shortened: it did not wait as its plan says. */
export const shortenedInWords = (scale: number): string =>
  `shortened to ${String(Number((scale * 100).toPrecision(2)))} % for a demonstration`;

/** `1 target`, `2 targets`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : many}`;

const TOOL_RISKS: ReadonlyMap<string, string> = new Map([
  ['state_change_prod', 'changes production'],
  ['state_change_nonprod', 'changes outside production'],
  ['read_only', 'only reads'],
  ['plan_only', 'only plans'],
]);

/** A tool's risk as people say it; an unknown one is given by its name. */
export const toolRiskInWords = (risk: string): string => TOOL_RISKS.get(risk) ?? `risk ${risk}`;

/** The calls of a plan's step, as people say how they cover its targets. */
export const SPREAD_IN_WORDS = {
  environment: 'for the whole environment',
  batch: 'one for each batch',
  target: 'one for each target',
  listed: 'as listed',
} as const;

/** The act that follows if a step of a plan fails: the text after `if it fails`. */
export const ON_FAILURE_IN_WORDS = { pause: 'pause the run', rollback: 'roll back', retry: 'try again' } as const;

/** A suggestion as a sentence: a word becomes a question, a sentence stays as it is. */
export const suggestionInWords = (suggestion: string): string =>
  /^[A-Z][^ ]* /.test(suggestion) ? suggestion : `Did you mean ${suggestion}?`;

/** How far a destination of incidents is reached: the text after its name, as people read it. */
export const REACH_IN_WORDS = {
  answers: 'took the last test message',
  silent: 'did not take the last test message',
  untested: 'never had a test message',
  unmapped: 'has no address',
} as const;
