import { isJsonObject, type Json, type JsonObject } from '#lib/canonical';
import { maskSecrets, toTimestamp, type LoggedEvent } from '#lib/kernel';
import type { NamedEvent } from './match-event.js';
import type { HookValues } from './placeholders.js';

/** The audit action of an error that an agent reported. */
export const AGENT_ERROR = 'agent_error.reported';

/** A tool's call, as an event tells it. */
export interface HookedCall {
  readonly tool: string;
  readonly parameters: Json;
  /** The answer, or the reason why there is none; null before an answer. */
  readonly output: Json;
  /** The name of the agent, or of the person who called. */
  readonly agent: string;
}

/** The agent or the person for whom a thing happened, and the session. */
export interface HookedCaller {
  readonly agentId: string;
  readonly agentName: string;
  readonly sessionId: string | null;
}

/** An event with the facts that the log does not repeat. */
export interface HookedEvent extends NamedEvent {
  readonly logged: LoggedEvent;
  readonly call: HookedCall | null;
  readonly caller: HookedCaller | null;
}

/** Entries about hooks and their executions raise no event of a hook: no hook is the cause of another. */
export const isOwn = ({ action, within }: Pick<LoggedEvent, 'action' | 'within'>): boolean =>
  action.startsWith('lifecycle_hook') || within.some(({ type }) => type.startsWith('lifecycle_hook'));

/**
 * The events of an entry: those of webhooks, and the two that hooks alone have. A call that leaves is `tool.execute`; a report of an agent and a
 * call that failed are `agent.error`.
 *
 * @param names the events that webhooks have for the entry.
 */
export function hookedEvents(
  logged: LoggedEvent,
  names: readonly string[],
  call: HookedCall | null,
  caller: HookedCaller | null,
): readonly HookedEvent[] {
  const facts = { logged, call, caller };
  const matchedOf = (event: string): string => (event.startsWith('tool.') ? (call?.tool ?? '') : event);
  const agent = caller?.agentName ?? call?.agent ?? logged.actor.display_name;
  return [
    ...names.map((event) => ({ event, matched: matchedOf(event), ...facts })),
    ...(names.includes('tool.started')
      ? [{ event: 'tool.execute', matched: matchedOf('tool.execute'), ...facts }]
      : []),
    ...(names.includes('tool.failed') || logged.action === AGENT_ERROR
      ? [{ event: 'agent.error', matched: agent, ...facts }]
      : []),
  ];
}

/** The text of every placeholder for one event and hook. Secrets are masked (T32). */
export function hookValues(hookName: string, { event, logged, call, caller }: HookedEvent): HookValues {
  const { actor, subject, within } = logged;
  const payload = membersOf(maskSecrets(logged.payload));
  const parameters = maskSecrets(call?.parameters ?? null);
  const output = maskSecrets(call?.output ?? null);
  const failed = event === 'agent.error' || event === 'tool.failed';
  const reported = logged.action === AGENT_ERROR;
  return {
    event,
    eventId: logged.id,
    time: toTimestamp(logged.occurredAt),
    hookName,
    toolName: call?.tool ?? (reported ? textOf(payload.tool ?? null) : ''),
    args: call === null ? '' : textOf(parameters),
    result: failed ? '' : textOf(output),
    error: reported ? textOf(payload.error ?? null) : failed ? textOf(output) : '',
    agentId: caller?.agentId ?? (actor.kind === 'agent' ? actor.id : ''),
    agentName: caller?.agentName ?? call?.agent ?? (actor.kind === 'agent' ? actor.display_name : ''),
    sessionId: caller?.sessionId ?? within.find(({ type }) => type === 'session')?.id ?? '',
    callId: subject.type === 'tool_call' ? subject.id : '',
    subjectType: subject.type,
    subjectId: subject.id,
    argument: (path) => textOf(memberAt(parameters, path.split('.'))),
  };
}

/** Text as it is, nothing for null, and JSON for the rest. */
const textOf = (value: Json): string =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const membersOf = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

function memberAt(value: Json, [first, ...rest]: readonly string[]): Json {
  if (first === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return null;
  // The cast: a list has members, too, named by their positions.
  return memberAt((value as JsonObject)[first] ?? null, rest);
}
