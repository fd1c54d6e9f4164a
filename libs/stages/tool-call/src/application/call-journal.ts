import type { JsonObject } from '#lib/canonical';
import { actorOf, type AuditSink, type Principal, type SubjectRef, type TenantId, type Tx } from '#lib/kernel';
import type { ToolCall } from '../domain/tool-call.js';
import type { EnclosingSubjects } from './enclosing-subjects.port.js';

/** Countersign itself, as it executes calls. */
export const callExecutor = (tenantId: TenantId): Principal => ({ kind: 'system', tenantId, name: 'call-executor' });

/** Something that happened to a decided call. */
interface CallHappening {
  readonly action:
    | 'tool_call.dispatched'
    | 'tool_call.succeeded'
    | 'tool_call.failed'
    | 'tool_call.unknown'
    | 'tool_call.expired'
    | 'tool_call.cancelled'
    | 'tool_call.late_answer'
    | 'tool_call.resolved';
  readonly by: Principal;
  readonly data?: JsonObject;
  /** As {@link CallJournal.within} told, if it was asked before. */
  readonly within?: readonly SubjectRef[] | undefined;
}

/** Records the course of calls. Each entry belongs to the session of its call, or to the run of an automation that made it. */
export class CallJournal {
  constructor(
    private readonly audit: AuditSink,
    private readonly enclosing: EnclosingSubjects,
  ) {}

  /** The subjects that enclose a call: its session, or its automation and run. They never change. */
  async within(tx: Tx, { id, sessionId }: Pick<ToolCall, 'id' | 'sessionId'>): Promise<readonly SubjectRef[]> {
    return sessionId === null ? this.enclosing.of(tx, id) : [{ type: 'session', id: sessionId }];
  }

  async record(tx: Tx, call: ToolCall, { action, by, data = {}, within }: CallHappening): Promise<void> {
    await this.audit.record(tx, {
      action,
      actor: actorOf(by),
      level: 'full',
      subject: { type: 'tool_call', id: call.id },
      within: within ?? (await this.within(tx, call)),
      decisionId: call.decisionId,
      payload: {
        tool: call.tool.name,
        tool_version: call.tool.version,
        environment: call.environment.name,
        state: call.state,
        arguments_digest: call.argumentsDigest,
        ...('attempt' in call ? { attempt: call.attempt } : {}),
        ...data,
      },
    });
  }
}
