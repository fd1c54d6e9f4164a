import type { Verdict, ApprovedTerms, Decision } from '#lib/formats';
import type {
  ActorFacts,
  ApprovalFacts,
  AutonomyFacts,
  FreezesFacts,
  PlanStage,
  PolicyInput,
} from '#lib/policy-inputs';
import { activeFreezes } from '#lib/autonomy';
import type { HeldRole, PersonId, Principal, TenantId } from '#lib/kernel';
import { planInput } from '#lib/plan';
import { actorFacts } from '#lib/policy';
import type { ApprovalRequest, ExcludedPerson, Reviewable } from './approval-request.js';
import type { PlanSubject } from './approval-subject.js';
import type { ReviewerRoles, Delegation } from './delegation.js';

/** A person's standing now, not at the time of a review. */
export interface PersonStanding {
  readonly personId: PersonId;
  /** Marked with the address if it could be taken for another person's. */
  readonly displayName: string;
  /** The same without the address. */
  readonly nameForAgents: string;
  readonly disabled: boolean;
  /** The moment of joining the tenant, or of the latest new enrolment. */
  readonly joinedAt: number;
  readonly roles: readonly HeldRole[];
}

/** The members of a plan's decision that are not in the plan. */
export interface SubjectQuestion {
  readonly tenantId: TenantId;
  /** Epoch milliseconds, by the database's clock, read after the locks. */
  readonly now: number;
  readonly stage: PlanStage;
  readonly actor: ActorFacts;
  readonly approval: ApprovalFacts | null;
  /** The roles of the starter now; policy reads them in a freeze. */
  readonly starterRoles: readonly string[];
  /** The terms of the approval, at stage `execute`. */
  readonly approved: ApprovedTerms | null;
}

/** The input of the `plan` entrypoint, from the request for approval on. */
export const subjectInput = (subject: PlanSubject, question: SubjectQuestion): PolicyInput<'plan'> =>
  planInput(
    {
      stage: question.stage,
      tenantId: question.tenantId,
      now: question.now,
      actor: question.actor,
      task: subject.facts.task,
      environment: subject.environment,
      facts: subject.facts,
      autonomy: subject.autonomy.facts,
      halts: subject.halts,
    },
    {
      simulation: simulationFacts(subject, question.now),
      approval: question.approval,
      approved: question.approved,
      promotion: subject.promotion,
      freeze: freezesFor(subject, question),
    },
  );

/** A freeze holds back only a start. */
const freezesFor = (subject: PlanSubject, { stage, now, starterRoles }: SubjectQuestion): FreezesFacts =>
  stage === 'execute'
    ? { active: activeFreezes(subject.autonomy.document, now), starter_roles: [...starterRoles] }
    : { active: [], starter_roles: [] };

function simulationFacts(subject: PlanSubject, now: number): PolicyInput<'plan'>['simulation'] {
  const { simulation } = subject;
  if (simulation === null) return null;
  return {
    id: simulation.id,
    digest_matches: simulation.planDigest === subject.plan.digest,
    state: simulation.state,
    age_seconds: simulation.finishedAt === null ? 0 : Math.max(0, Math.floor((now - simulation.finishedAt) / 1000)),
  };
}

/** The members of a review's decision that are not in the request. */
export interface ReviewQuestion {
  readonly tenantId: TenantId;
  readonly autonomy: AutonomyFacts | null;
  readonly now: number;
  readonly verdict: Verdict;
  readonly principal: Principal;
  /** The roles of the review, as they are now. Only people have roles. */
  readonly reviewing: ReviewerRoles;
  /** The moment at which the reviewer joined the tenant; null for others than people. */
  readonly joinedAt: number | null;
  readonly excluded: readonly ExcludedPerson[];
  readonly digestsMatch: boolean;
  /** True if a second factor was proved for this review, or is assumed for a question. */
  readonly mfaProved: boolean;
}

/** The input of the `review` entrypoint. */
export function reviewInput(request: Reviewable, question: ReviewQuestion): PolicyInput<'review'> {
  const { requester } = request;
  return {
    now: question.now,
    tenant_id: question.tenantId,
    autonomy: question.autonomy,
    verdict: question.verdict,
    request: {
      id: request.id,
      subject: request.subject.type,
      state: request.state,
      opened_at: request.openedAt,
      expires_at: request.expiresAt,
      requester: { kind: requester.kind, id: requester.id },
      excluded: question.excluded.map(excludedFacts),
      obligations: request.decision.obligations,
      effective: request.decision.effective,
      digests_match: question.digestsMatch,
    },
    reviewer: {
      ...actorFacts(question.principal),
      via: viaOf(question.principal),
      roles: question.reviewing.roles.map(({ role, assignedAt }) => ({ role, assigned_at: assignedAt })),
      joined_at: question.joinedAt,
      delegation: delegationFacts(question.reviewing.delegation),
      mfa: { proved: question.mfaProved },
    },
  };
}

/** The way in which somebody acts. A bearer token may lie on the machine of an agent (T55). */
function viaOf(principal: Principal): PolicyInput<'review'>['reviewer']['via'] {
  if (principal.kind !== 'person') return 'token';
  switch (principal.credentialKind) {
    case 'browser_session':
      return 'browser';
    case 'slack_link':
      return 'slack';
    case 'person_token':
    case 'issuer_token':
      return 'token';
  }
}

/** As policies and the record see it. */
export const excludedFacts = ({ personId, why, sharesWith }: ExcludedPerson) => ({
  person_id: personId,
  why,
  ...(sharesWith === undefined ? {} : { shares_with: sharesWith }),
});

const delegationFacts = (delegation: Delegation | null): PolicyInput<'review'>['reviewer']['delegation'] =>
  delegation === null
    ? null
    : { person_id: delegation.personId, made_at: delegation.madeAt, from: delegation.from, until: delegation.until };

/** The request behind a run, as policies see it. `reviewers` are the people who fill the quorum. */
export function approvalFacts(request: ApprovalRequest, reviewers: ApprovalFacts['reviewers']): ApprovalFacts {
  const approved = request.state === 'approved' || request.state === 'consumed';
  const expiresAt = approved ? request.approvalExpiresAt : request.expiresAt;
  return { id: request.id, state: request.state, expires_at: expiresAt, reviewers };
}

/** The part of a decision that an approval keeps. */
export const termsOf = ({ outcome, obligations, effective }: Decision): ApprovedTerms => ({
  outcome,
  obligations,
  effective,
});
