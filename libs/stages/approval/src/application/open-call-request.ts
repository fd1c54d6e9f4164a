import { err, newId, ok, type ApprovalRequestId, type Principal, type Result, type Tx } from '#lib/kernel';
import { standingsIn } from '#lib/identity';
import type { RecordedDecision } from '#lib/policy';
import { submitterOf } from '#lib/task';
import type { UndecidedRequest } from '../domain/approval-request.js';
import { plannedBinding } from '../domain/approval-subject.js';
import { bindingDigest, callContentDigest } from '../domain/binding.js';
import type { CallSubject } from '../domain/call-subject.js';
import { excludedFromCall, withEnrollers } from '../domain/excluded-people.js';
import { limitedRequester } from '../domain/request-flood.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { People, RequestAsLeft, ToolDefinitions } from './approval.ports.js';
import type { LimitRequests } from './limit-requests.js';

/** A call that policy has people asked about. */
export interface CallToApprove {
  /** By the records of this moment; `call.submitter` is the principal. */
  readonly subject: CallSubject;
  /** The recorded decision that asks for people. */
  readonly decided: RecordedDecision;
  /** How long people have to answer. Then the call is denied. */
  readonly approvalSeconds: number;
  /** The database's clock, epoch milliseconds. */
  readonly now: number;
}

/**
 * Asks people about a single call, in the transaction that submits it. The caller has decided that it waits, and writes
 * it once the request is there. Binds digests of all that an approver sees, and fixes who can never review it. The call
 * is allowed with the last approval, and takes no start. It has no reminders: people have a few minutes at most.
 *
 * Two calls are two requests, even of one content, since each of them is made. The gate refuses a call while its twin waits.
 *
 * Failures: `task.submitter_required`, `mcp.definition_changed`; `approval.flood` (recorded once a time).
 */
export class OpenCallRequest {
  constructor(
    private readonly people: Pick<People, 'waysIn'>,
    private readonly journal: ApprovalJournal,
    private readonly limit: LimitRequests,
    private readonly definitions: ToolDefinitions,
  ) {}

  async execute(
    tx: Tx,
    principal: Principal,
    { subject, decided, approvalSeconds, now }: CallToApprove,
  ): Promise<Result<RequestAsLeft>> {
    const { call } = subject;
    if (decided.decision.outcome !== 'require_approval') throw new Error(`policy asks nobody about call ${call.id}`);
    const requester = submitterOf(principal);
    if (!requester.ok) return requester;
    const redefined = await this.definitions.execute(tx, subject.environment.name, subject.registry.tools.values());
    if (redefined !== null) return err(redefined);
    const limited = limitedRequester(principal);
    if (limited !== null) {
      const latest = await this.limit.latest(tx, limited);
      const checked = await this.limit.check(tx, subject, principal, limited, latest, now);
      if (!checked.ok) return err(checked.error);
    }
    const excluded = excludedFromCall(subject);
    const authors = excluded.map(({ personId }) => personId);
    const votes = standingsIn(authors, await this.people.waysIn(tx, authors), now);
    const binding = plannedBinding(subject);
    const request: UndecidedRequest = {
      state: 'open',
      id: newId<ApprovalRequestId>(),
      subject: { type: 'tool_call', id: call.id, sessionId: call.sessionId },
      environmentId: subject.environment.id,
      binding,
      bindingDigest: bindingDigest(binding),
      contentDigest: callContentDigest(binding, call.argumentsDigest),
      headline: call.impact,
      risk: call.level,
      targets: call.targets.length,
      decisionId: decided.id,
      decision: decided.decision,
      autonomyRevisionId: subject.autonomy.revisionId,
      bundleRevision: decided.bundleRevision,
      excluded: withEnrollers(excluded, votes),
      requester: requester.value,
      start: { kind: 'on_approval' },
      startAfter: null,
      openedAt: now,
      expiresAt: now + approvalSeconds * 1_000,
    };
    await this.journal.opened(tx, request, subject, principal);
    return ok({ request, subject, reviews: [], people: new Map(), claim: null, now });
  }
}
