import type { PersonId } from '#lib/kernel';
import type { LifecycleHookId } from './ids.js';

/** An entry of the audit log. */
export interface LogAction {
  readonly type: 'log';
  /** With {{placeholders}} anywhere. */
  readonly message: string;
}

/** A program on a runner. */
export interface CommandAction {
  readonly type: 'command';
  /** The name under which the operator of the runner lists it. */
  readonly program: string;
  /** Each is literal text, or one {{placeholder}}. */
  readonly arguments: readonly string[];
  /** Environment variables, by their names; each value is literal text, or one {{placeholder}}. */
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly pool: string;
  readonly environment: string;
}

export type HookAction = LogAction | CommandAction;

/** A hook as its admins wrote it. */
export interface HookSettings {
  /** Unique in the tenant. */
  readonly name: string;
  /** `tool.execute`, `agent.error`, an event such as `run.failed`, or a group such as `run.*`. */
  readonly event: string;
  /** A glob. */
  readonly matcher: string;
  readonly action: HookAction;
  readonly enabled: boolean;
}

/** A hook in force. Times are epoch milliseconds. */
export interface LifecycleHook extends HookSettings {
  readonly id: LifecycleHookId;
  /** Its place in the document, from 0. */
  readonly position: number;
  /** The person who asked for it as it is. */
  readonly createdBy: PersonId;
  readonly createdAt: number;
}

/** In one line, for the person who confirms a change. */
function told({ name, event, matcher, action }: HookSettings): string {
  const when = `for ${event} of ${matcher}`;
  if (action.type === 'log') return `${name} writes an entry ${when}`;
  const line = [action.program, ...action.arguments].join(' ');
  return `${name} executes ${line} on runners of ${action.pool} in ${action.environment} ${when}`;
}

const sameHook = (one: HookSettings, other: HookSettings): boolean =>
  JSON.stringify(spelt(one)) === JSON.stringify(spelt(other));

/** The members that decide, in a fixed order. */
const spelt = ({ event, matcher, action }: HookSettings): unknown => [
  event,
  matcher,
  action.type === 'log'
    ? [action.type, action.message]
    : [
        ...[action.type, action.program, action.arguments, Object.entries(action.variables).toSorted()],
        ...[action.timeoutSeconds, action.pool, action.environment],
      ],
];

/** The loosening of a change, in words: each command hook that is on, and was off or different before. */
export function loosenedHooks(before: readonly HookSettings[], after: readonly HookSettings[]): readonly string[] {
  return after
    .filter((hook) => hook.action.type === 'command' && hook.enabled)
    .filter((hook) => !before.some((each) => each.name === hook.name && each.enabled && sameHook(each, hook)))
    .map(told);
}

/** Whether a hook has the same event, matcher and action as before. */
export const isUnchanged = (before: HookSettings | undefined, after: HookSettings): boolean =>
  before !== undefined && sameHook(before, after);
