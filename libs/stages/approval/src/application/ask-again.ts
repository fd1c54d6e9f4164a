import type { Verdict, Decision } from '#lib/formats';
import { err, ok, type Failure, type Principal, type Result, type Tx } from '#lib/kernel';
import { isLooser, type PolicyDecisionPoint } from '#lib/policy';
import { decidedAbout, type ApprovalRequest, type ClosedReason, type LiveRequest } from '../domain/approval-request.js';
import type { ApprovalSubject } from '../domain/approval-subject.js';
import { deniedByPolicy } from '../domain/approved-plan.js';
import { becameStricter } from '../domain/closed-reasons.js';
import { voided } from '../domain/decide-approval.js';
import { subjectInput } from '../domain/policy-inputs.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { HeldRequest } from './approval.ports.js';

/** Asks policy again about the subject of an open request, before a review counts. Its terms must still be enough (T06). */
export class AskAgain {
  constructor(
    private readonly policy: Pick<PolicyDecisionPoint, 'decide'>,
    private readonly journal: ApprovalJournal,
  ) {}

  /**
   * Voids the request if policy has become stricter.
   *
   * @returns `approval.stricter`; for the approval of a call under a halt `policy.denied`, which leaves the request open.
   */
  async execute(
    tx: Tx,
    { request, subject, now }: HeldRequest<ApprovalSubject, LiveRequest>,
    verdict: Verdict,
    principal: Principal,
  ): Promise<Result<void>> {
    // Under a halt everything is denied; that says nothing of the terms. The start of a plan asks again, and nothing a call.
    const halted = haltsOf(subject).length > 0;
    if (halted && (subject.type === 'plan' || verdict !== 'approve')) return ok(undefined);
    const today = await this.#today(tx, request, subject, now);
    if (halted && today.outcome === 'deny') return err(deniedByPolicy(today));
    if (!isLooser(today, request.decision)) return ok(undefined);
    const reason = becameStricter(request.decision, today);
    await this.journal.changed(tx, voided(request, reason, now), principal);
    return err(stricter(reason, today));
  }

  /** Policy's decision today: on a request for the approval of a plan, or on the call. */
  async #today(tx: Tx, request: ApprovalRequest, subject: ApprovalSubject, now: number): Promise<Decision> {
    const about = decidedAbout(request);
    if (subject.type === 'tool_call')
      return (await this.policy.decide(tx, 'tool_call', { ...subject.question, now }, about)).decision;
    const { requester } = request;
    const { decision } = await this.policy.decide(
      tx,
      'plan',
      subjectInput(subject, {
        tenantId: tx.tenantId,
        now,
        stage: 'request',
        actor: { kind: requester.kind, id: requester.id, scopes: ['submit'] },
        approval: null,
        starterRoles: [],
        approved: null,
      }),
      about,
    );
    return decision;
  }
}

const haltsOf = (subject: ApprovalSubject) => (subject.type === 'plan' ? subject.halts : subject.question.halts);

const stricter = ({ code, message, details = {} }: ClosedReason, today: Decision): Failure => ({
  kind: 'conflict',
  code,
  message: `The request was voided. ${message}`,
  action: 'Have approval asked for again, on the terms of today.',
  reasons: today.reasons,
  details,
});
