import pc from 'picocolors';
import type { SessionCallView, SessionMessage, SessionTrustView, SessionView } from '#lib/api-schemas';
import { fields, moment, oneLine, quoted, state, table, valueLine } from '../output.js';

/** The decision word of a call; a state would be told otherwise. */
const decided = (decision: SessionCallView['decision']): string =>
  decision === null
    ? pc.yellow('waits')
    : DENIED.has(decision)
      ? pc.red(decision)
      : pc.green(decision.replaceAll('_', ' '));

const DENIED: ReadonlySet<string> = new Set(['rejected', 'timeout', 'denied', 'cancelled']);

const settingsOf = ({ preset, level, mode }: Pick<SessionView, 'preset' | 'level' | 'mode'>): string =>
  preset === null
    ? `the stricter of tiers and levels, at ${level}`
    : `${preset}${preset === 'levels' ? ` at ${level}` : ''}${preset === 'modes' ? `, ${mode}` : ''}`;

/** Such as `12 of 500, 488 left`. */
const callsOf = ({ calls_made: made, call_budget: budget }: SessionView): string =>
  `${String(made)} of ${String(budget)}, ${String(Math.max(0, budget - made))} left`;

export const sessionTable = (sessions: readonly SessionView[]): string[] =>
  table(
    ['session', 'state', 'environment', 'asks by', 'calls', 'last used'],
    sessions.map((session) => [
      session.id,
      session.ended_reason ?? session.state,
      session.environment.name,
      settingsOf(session),
      `${String(session.calls_made)} of ${String(session.call_budget)}`,
      moment(session.last_used_at),
    ]),
    [1],
  );

/** @param agents the names of its agents. */
export const sessionLines = (session: SessionView, agents: readonly string[]): string[] => [
  `${pc.bold('session')} ${session.id} is ${state(session.ended_reason ?? session.state)}`,
  ...fields([
    ['agents', agents.map(oneLine).join(', ')],
    ['environment', oneLine(session.environment.name)],
    ['asks by', settingsOf(session)],
    ['calls', callsOf(session)],
    ...(session.model === null ? [] : ([['model', oneLine(session.model)]] as const)),
    ['opened', moment(session.opened_at)],
    ...(session.ended_at === null
      ? ([['ends', `${moment(session.idle_at)} unless it is used before`]] as const)
      : ([['ended', moment(session.ended_at)]] as const)),
  ]),
];

export const callLines = (calls: readonly SessionCallView[]): string[] =>
  calls.flatMap((call) => [
    `${moment(call.asked_at)}  ${decided(call.decision)}  ${call.risk}  ${oneLine(call.tool)}: ${valueLine(
      call.command ?? JSON.stringify(call.arguments),
    )}`,
    ...(call.reason === null ? [] : quoted(call.reason)),
  ]);

export const trustLines = (trusts: readonly SessionTrustView[]): string[] =>
  trusts
    .filter(({ revoked_at }) => revoked_at === null)
    .map(
      ({ tool, shape, made_at }) =>
        `always: ${oneLine(tool)} like ${valueLine(JSON.stringify(shape))}, since ${moment(made_at)}`,
    );

/** One message of the socket as a line. */
export function messageLine(message: SessionMessage): string {
  switch (message.type) {
    case 'tool_approve_request':
      return `${moment(message.timestamp)}  ${decided(null)}  ${message.risk ?? '?'}  ${valueLine(message.summary)}`;
    case 'output':
      return quoted(message.text).join('\n');
    case 'audit_entry':
      return `${moment(message.timestamp)}  ${decided(message.decision)}  ${message.risk ?? '?'}  ${valueLine(message.summary)}`;
    case 'autonomy_changed':
      return `${moment(message.timestamp)}  asks by ${settingsOf(message)} from now on`;
    case 'session_ended':
      return `${moment(message.timestamp)}  the session is ${state(message.reason ?? 'ended')}`;
    case 'error':
      return `${pc.red(message.code)}: ${oneLine(message.message)} ${oneLine(message.action)}`;
  }
}
