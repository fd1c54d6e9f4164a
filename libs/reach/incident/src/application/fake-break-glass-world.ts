import type { EmergencyOverride, PlanDocument } from '#lib/formats';
import type { SteppedUpOperation, TakenProof, StepUpId } from '#lib/identity';
import { digestText, newId, ok, type AuditEvent, type PersonPrincipal, type PlanId } from '#lib/kernel';
import { FakeMfaProofs } from '../../../../people/identity/src/application/fake-mfa-proofs.js';
import { newHost, phase, step } from '../../../../stages/run/src/fake-run-documents.js';
import { FakeRunWorld } from '../../../../stages/run/src/fake-run-world.js';
import { BreakGlassAvailability } from './break-glass-availability.js';
import { FakeDestinationChecks } from './fake-destination-checks.js';
import { FakeIncidentRepository } from './fake-incident.repository.js';
import { FakeIncidentSettings } from './fake-incident-settings.js';
import { FakePageQueue } from './fake-page-queue.js';
import { IncidentJournal } from './incident-journal.js';
import type { NotifiedPerson } from './incident.ports.js';
import { InvokeBreakGlass } from './invoke-break-glass.js';

export const JUSTIFICATION = 'The primary database is down and customers cannot pay';

/** The evidence that a proof of a passkey gives. */
export const SIGNED: TakenProof['evidence'][number] = {
  kind: 'passkey-assertion',
  id: newId(),
  digest: digestText('passkey-assertion', 'signed'),
};

/** A plan as a person saw it. */
interface SeenPlan {
  readonly planId: PlanId;
  readonly digest: string;
}

/** Break-glass over the stages in memory and the real policies. Any SRELead may invoke it. */
export class FakeBreakGlassWorld {
  readonly proofs: FakeMfaProofs;
  readonly settings: FakeIncidentSettings;
  readonly checks: FakeDestinationChecks;
  readonly incidents: FakeIncidentRepository;
  readonly pages: FakePageQueue;
  /** The people who are notified of every incident. */
  readonly notified: NotifiedPerson[] = [];
  readonly availability: BreakGlassAvailability;
  readonly #invoking: InvokeBreakGlass;

  private constructor(readonly stages: FakeRunWorld) {
    const { uow, audit, outbox, home, subjects, plans, people, policy } = stages;
    this.proofs = new FakeMfaProofs(uow);
    this.settings = new FakeIncidentSettings(uow);
    this.checks = new FakeDestinationChecks(uow);
    this.incidents = new FakeIncidentRepository(uow, () => home.production);
    this.pages = new FakePageQueue(uow);
    const { incidents, settings, pages, proofs, checks } = this;
    this.#invoking = new InvokeBreakGlass(uow, {
      subjects,
      plans,
      people,
      proofs: {
        take: async (tx, wanted) => {
          const taken = await proofs.take(tx, wanted);
          return taken.ok ? ok({ ...taken.value, evidence: [SIGNED] }) : taken;
        },
        mfaState: (tx, personId) => proofs.mfaState(tx, personId),
      },
      policy,
      approvals: stages.approval.voidRequests,
      runs: stages.parts.create,
      incidents,
      settings,
      journal: new IncidentJournal(incidents, settings, pages, audit, outbox),
      audit,
    });
    this.availability = new BreakGlassAvailability({
      uow,
      subjects,
      plans,
      people,
      proofs,
      policy,
      notices: {
        settings,
        checks,
        people: { read: () => Promise.resolve(this.notified) },
        channelOf: (address) => (address.includes('@') ? 'email' : 'slack'),
      },
    });
    this.override();
  }

  static async open(): Promise<FakeBreakGlassWorld> {
    return new FakeBreakGlassWorld(await FakeRunWorld.open());
  }

  /** Puts an autonomy document in force: one SecurityReviewer approves changes of production, and break-glass is on. */
  override(more: Partial<EmergencyOverride> = {}): void {
    this.stages.autonomy({
      autonomy: {
        mode: 'plan_only',
        environments: { production: { mode: 'full_auto', allowed_approvers: ['SecurityReviewer'] } },
      },
      emergency_override: { enabled: true, allowed_roles: ['SRELead'], notifies: ['security-team'], ...more },
    });
  }

  /** A person who holds this role for long, with a second factor. */
  person(role: string): PersonPrincipal {
    const person = this.stages.approvals.person(this.stages.home.owner, role);
    this.proofs.enrol(this.stages.tenantId, person.personId);
    return person;
  }

  /** A plan of the agent on a host in production. */
  async planned(steps: PlanDocument['phases'][number]['steps'] = [step('a', { tool: 'release' })]): Promise<SeenPlan> {
    const { stages } = this;
    const planId = await stages.plan(
      { phases: [phase('one', [newHost()], steps, { canary: true })] },
      stages.home.production,
    );
    const subject = await stages.tx((tx) => stages.subjects.read(tx, planId));
    if (subject === null) throw new Error('the plan is gone');
    return { planId, digest: subject.plan.digest };
  }

  /** Proves the second factor for an invocation. */
  prove({ personId }: PersonPrincipal, plan: SeenPlan, justification = JUSTIFICATION): StepUpId {
    return this.proofs.prove(this.stages.tenantId, personId, operationOf(plan, justification));
  }

  invoke(by: PersonPrincipal, plan: SeenPlan, stepUpId?: string, justification = JUSTIFICATION) {
    const { planId, digest } = plan;
    return this.#invoking.execute(by, { plan_id: planId, plan_digest: digest, justification, step_up_id: stepUpId });
  }

  /** The audit entries of these actions, in order. */
  audited(prefix: string): readonly AuditEvent[] {
    return this.stages.audit.of(this.stages).filter(({ action }) => action.startsWith(prefix));
  }
}

export const operationOf = ({ planId, digest }: SeenPlan, justification = JUSTIFICATION): SteppedUpOperation => ({
  kind: 'break_glass',
  plan_id: planId,
  plan_digest: digest,
  justification,
});
