import {
  type ApprovalJournal,
  AskAgain,
  boundDigest,
  CarryOutApproval,
  LimitRequests,
  OpenRequest,
  planKey,
  ReadStanding,
  SubjectsByKind,
  type RequestApprovedListener,
  type PlanSubjects,
  SubmitReview,
} from '#lib/approval';
import type { AutonomyDocument } from '#lib/formats';
import type { ApprovalRequestId, PersonPrincipal, PlanId, Principal, UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { TaskAccess } from '#lib/task';
import { FakeAnswers } from '../../approval/src/application/fake-call.js';
import { FakeCallSubjects } from '../../approval/src/application/fake-call-subjects.js';
import { FakeClaimRepository } from '../../approval/src/application/fake-claim-repository.js';
import type { FakeApprovalRepository } from '../../approval/src/application/fake-approval-repository.js';
import { FakeFloodRepository } from '../../approval/src/application/fake-flood-repository.js';
import type { FakePeople } from '../../approval/src/application/fake-people.js';
import { FakeReminderRepository } from '../../approval/src/application/fake-reminder-repository.js';
import { samplePerson } from '../../../foundation/kernel/src/fake-tenant.js';
import type { FakeUnitOfWork } from '../../../foundation/kernel/src/fake-unit-of-work.js';
import { valueOf } from './fake-run-documents.js';

/** One SRELead approves each change of production. */
export const APPROVED_BY_ONE: AutonomyDocument = {
  autonomy: {
    mode: 'plan_only',
    environments: { production: { mode: 'full_auto', allowed_approvers: ['SRELead'] } },
  },
};

/** The parts of requests and reviews. */
interface ApprovalNeeds {
  readonly uow: FakeUnitOfWork & UnitOfWork;
  readonly subjects: PlanSubjects;
  readonly requests: FakeApprovalRepository;
  readonly people: FakePeople;
  readonly journal: ApprovalJournal;
  readonly policy: PolicyDecisionPoint;
  readonly access: TaskAccess;
  readonly approved: RequestApprovedListener;
}

/** People who are asked, and approve. */
export class FakeApprovals {
  readonly #open: OpenRequest;
  readonly #review: SubmitReview;

  constructor(private readonly needs: ApprovalNeeds) {
    const { uow, requests, people, journal, policy, access, approved } = needs;
    const calls = new FakeCallSubjects(uow, requests, new FakeClaimRepository(uow));
    const subjects = new SubjectsByKind({ plan: needs.subjects, tool_call: calls });
    const limit = new LimitRequests(new FakeFloodRepository(uow, requests), journal);
    const reminders = new FakeReminderRepository(uow);
    this.#open = new OpenRequest(uow, needs.subjects, requests, people, journal, policy, access, reminders, limit, {
      execute: () => Promise.resolve(null),
    });
    const proofs = {
      take: () => Promise.reject(new Error('nobody proves a second factor here')),
      mfaState: () => Promise.resolve({ enrolled: false }),
    };
    const askAgain = new AskAgain(policy, journal);
    const standing = new ReadStanding(people);
    const carryOut = new CarryOutApproval(requests, standing, journal, approved, new FakeAnswers(uow));
    this.#review = new SubmitReview(uow, subjects, people, journal, policy, askAgain, carryOut, proofs);
  }

  /** Somebody of the tenant who was not there when anything was asked, with this role for long. */
  person({ tenantId }: Principal, role: string): PersonPrincipal {
    const person = samplePerson(tenantId, [role]);
    const scopes: PersonPrincipal['scopes'] = ['read', 'review'];
    this.needs.people.rows.of(person).set(person.personId, {
      personId: person.personId,
      displayName: person.displayName,
      nameForAgents: person.displayName,
      disabled: false,
      joinedAt: 0,
      roles: [{ role, assignedAt: 0 }],
      waysIn: [],
    });
    return { ...person, scopes };
  }

  disable({ personId, tenantId }: PersonPrincipal): void {
    const rows = this.needs.people.rows.of({ tenantId });
    const person = rows.get(personId);
    if (person !== undefined) rows.set(personId, { ...person, disabled: true });
  }

  /** Asks for approval of a start by hand, or as soon as it is approved. */
  async ask(by: Principal, planId: PlanId, start: 'manual' | 'on_approval' = 'manual'): Promise<ApprovalRequestId> {
    return valueOf(await this.#open.execute(by, planKey(planId), { start })).request.id;
  }

  async approve(by: PersonPrincipal, id: ApprovalRequestId): Promise<void> {
    const request = this.needs.requests.all(by).find((candidate) => candidate.id === id);
    if (request === undefined) throw new Error(`no request ${id}`);
    valueOf(await this.#review.execute(by, id, { verdict: 'approve', plan_digest: boundDigest(request.binding) }));
  }
}
