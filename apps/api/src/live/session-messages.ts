import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { sessionSchema, type CallDecisionView, type SessionMessage } from '#lib/api-schemas';
import { FollowEntries, type AuditEntryView } from '#lib/audit';
import { SESSION_ENDS } from '#lib/formats';
import { toTimestamp, type Failure, type Principal, type SessionId } from '#lib/kernel';
import type { Session } from '#lib/session';
import { CallDecisionViews } from '../audit/call-decision-views.js';
import { encodeCursor, type PageKey } from '../http/index.js';

export const CURSOR_OF = 'session-socket';

const askedSchema = z.looseObject({
  request_id: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.json()),
  reason: z.string().optional(),
  prompt: z.object({
    category: z.string(),
    impact: z.string(),
    always_covers: z.record(z.string(), z.json()).nullable(),
    confirm_word: z.string().nullable(),
  }),
});
const { preset, level, mode } = sessionSchema.shape;
const changedSchema = z.looseObject({ after: z.object({ preset, level, mode }) });
const endedSchema = z.looseObject({ reason: z.enum(SESSION_ENDS) });

/** The place of an entry among those of its session. */
const keyOf = ({ header }: AuditEntryView): PageKey => [Date.parse(header.occurred_at), header.id];

const [ASKED, DECIDED] = ['tool_call.asked', 'tool_call.decided'];
const OF_CALLS: readonly string[] = [ASKED, DECIDED];

/** The parts of a session that its messages need. */
type TellingSession = Pick<Session, 'id' | 'approvalSeconds'>;

/** Tells the clients of a session what its audit entries record. */
@Injectable()
export class SessionMessages {
  constructor(
    private readonly entries: FollowEntries,
    private readonly decisions: CallDecisionViews,
  ) {}

  /** Entries of the session, oldest first, from a time or after a place. */
  entriesOf(
    by: Principal,
    id: SessionId,
    from: Parameters<FollowEntries['execute']>[2],
    limit: number,
  ): Promise<readonly AuditEntryView[]> {
    return this.entries.execute(by.tenantId, { type: 'session', id }, from, limit);
  }

  /** In the order of the entries; an entry that tells a client nothing has no message. An agent hears of its own calls alone. */
  async of(by: Principal, session: TellingSession, entries: readonly AuditEntryView[]): Promise<SessionMessage[]> {
    const calls = entries.filter(({ header }) => OF_CALLS.includes(header.action));
    const views = new Map((await this.decisions.of(by, calls)).map((view) => [view.id, view]));
    return entries.flatMap((entry) => {
      const cursor = encodeCursor(CURSOR_OF, keyOf(entry));
      const view = views.get(entry.header.id);
      if (view !== undefined && by.kind === 'agent' && view.agent_id !== by.agentId) return [];
      const told = view === undefined ? aboutSession(session.id, entry) : aboutCall(session, view, entry);
      return told.map((message, index) => (index === told.length - 1 ? { ...message, cursor } : message));
    });
  }
}

function aboutCall(
  { id: sessionId, approvalSeconds }: TellingSession,
  view: CallDecisionView,
  { header, payload }: AuditEntryView,
): SessionMessage[] {
  const { id, tool_call_id, agent_id, tool, risk, decision, occurred_at, summary, tier, class: shellClass } = view;
  const base = { v: 1, sessionId } as const;
  const common = { ...base, id, toolCallId: tool_call_id, agentId: agent_id, risk, timestamp: occurred_at, summary };
  const verdict = { tier, class: shellClass };
  if (header.action === ASKED) {
    const asked = askedSchema.safeParse(payload).data;
    if (asked === undefined) return [];
    const { request_id: requestId, tool: toolName, arguments: args, reason = null, prompt } = asked;
    const { category, impact, always_covers: alwaysCovers, confirm_word: confirmWord } = prompt;
    const expiresAt = toTimestamp(Date.parse(occurred_at) + approvalSeconds * 1_000);
    return [
      {
        ...{ ...common, ...verdict, type: 'tool_approve_request', requestId, toolName, arguments: args, reason },
        ...{ category, impact, confirmWord, alwaysCovers, expiresAt },
      },
    ];
  }
  const entry: SessionMessage = { ...common, ...verdict, type: 'audit_entry', toolName: tool, decision };
  const about = { toolCallId: tool_call_id };
  if (decision === 'timeout') return [entry, errorMessage(sessionId, 'APPROVAL_TIMEOUT', unanswered, about)];
  return shellClass === 'ESCALATION' ? [errorMessage(sessionId, 'REFUSED', escalation, about), entry] : [entry];
}

function aboutSession(sessionId: SessionId, { header, payload }: AuditEntryView): SessionMessage[] {
  const common = { v: 1, sessionId, id: header.id, timestamp: header.occurred_at } as const;
  if (header.action === 'session.ended') {
    const reason = endedSchema.safeParse(payload).data?.reason ?? null;
    return [{ ...common, type: 'session_ended', reason }];
  }
  const changed = header.action === 'session.changed' ? changedSchema.safeParse(payload).data : undefined;
  return changed === undefined ? [] : [{ ...common, type: 'autonomy_changed', ...changed.after }];
}

/** A failure as a message; `code` is the one of problem documents. */
export const errorMessage = (
  sessionId: SessionId,
  error: Extract<SessionMessage, { type: 'error' }>['error'],
  { code, message, action }: Failure,
  more: { readonly toolCallId?: string; readonly supported?: number[] } = {},
): SessionMessage => ({
  v: 1,
  type: 'error',
  sessionId,
  error,
  code,
  message,
  action: action ?? 'Read the session again before you go on.',
  ...more,
});

const unanswered: Failure = {
  kind: 'forbidden',
  code: 'tool_call.approval_timeout',
  message: 'Nobody answered in time, so the call is denied.',
  action: 'Make the call again once somebody can answer.',
};

const escalation: Failure = {
  kind: 'forbidden',
  code: 'shell.denied',
  message: 'A command that acts with other rights is always denied.',
  action: 'Find a command that needs no other rights, or ask an operator to do it.',
};
