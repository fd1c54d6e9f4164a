/** The members of an event that a placeholder may name. `args.path` is one argument of the tool. */
export const PLACEHOLDERS = [
  'event',
  'eventId',
  'time',
  'hookName',
  'toolName',
  'args',
  'result',
  'error',
  'agentId',
  'agentName',
  'sessionId',
  'callId',
  'subjectType',
  'subjectId',
] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

/** The text of each member for one event, masked; `arguments` are those of the tool. */
export interface HookValues extends Readonly<Record<Placeholder, string>> {
  readonly argument: (path: string) => string;
}

const ONE = /^\{\{ *([A-Za-z][A-Za-z0-9_.-]{0,99}) *\}\}$/;
const EACH = /\{\{ *([A-Za-z][A-Za-z0-9_.-]{0,99}) *\}\}/g;

/** The name of the placeholder that a text is; null if it is other text. */
export const placeholderOf = (text: string): string | null => ONE.exec(text)?.[1] ?? null;

/** Whether a text holds the beginning of a placeholder. */
export const holdsPlaceholder = (text: string): boolean => text.includes('{{');

/** The names of the placeholders in a text; null for braces that are none. */
export const namesIn = (text: string): readonly (string | null)[] =>
  holdsPlaceholder(text.replace(EACH, '')) ? [null] : [...text.matchAll(EACH)].map(([, name = '']) => name);

const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.some((one) => one === name);

export const isKnown = (name: string): boolean =>
  isPlaceholder(name) || /^args\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(name);

/** The value of a placeholder; empty if the event does not have it. */
const valueOf = (name: string, values: HookValues): string =>
  name.startsWith('args.') ? values.argument(name.slice('args.'.length)) : values[name as Placeholder];

/** Literal text as it is, and a placeholder as its value. */
export function filled(text: string, values: HookValues): string {
  const name = placeholderOf(text);
  return name === null ? text : valueOf(name, values);
}

/** A message with each placeholder in it replaced, once: a value that looks like a placeholder stays as it is. */
export const filledMessage = (message: string, values: HookValues): string =>
  message.replace(EACH, (_, name: string) => valueOf(name, values));
