import type { EmergencyOverride, PlanDocument } from '#lib/formats';
import type { SteppedUpOperation, TakenProof, StepUpId } from '#lib/identity';
import { digestText, newId, type AuditEvent, type PersonPrincipal, type PlanId } from '#lib/kernel';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { FakeMfaProofs } from '../../../../people/identity/src/application/fake-mfa-proofs.js';
import { FakeStandings } from '../../../../people/identity/src/application/fake-standings.js';
import { newHost, phase, step } from '../../../../stages/run/src/fake-run-documents.js';
import { FakeRunWorld } from '../../../../stages/run/src/fake-run-world.js';
import { createIncidents, type Incidents } from '../create-incidents.js';
import { FakeDestinationChecks } from './fake-destination-checks.js';
import { FakeIncidentRepository } from './fake-incident.repository.js';
import { FakeIncidentSettings } from './fake-incident-settings.js';
import { FakePageQueue } from './fake-page-queue.js';
import type { NotifiedPerson } from './incident.ports.js';

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

const unasked = () => Promise.reject(new Error('break-glass changes no settings and sends no page'));

/** Break-glass over the stages in memory and the real policies. Any SRELead may invoke it. */
export class FakeBreakGlassWorld {
  readonly proofs: FakeMfaProofs;
  readonly settings: FakeIncidentSettings;
  readonly checks: FakeDestinationChecks;
  readonly incidents: FakeIncidentRepository;
  readonly pages: FakePageQueue;
  /** The people who are notified of every incident. */
  readonly notified: NotifiedPerson[] = [];
  readonly availability: Incidents['breakGlassAvailability'];
  readonly #invoking: Incidents['invokeBreakGlass'];

  private constructor(readonly stages: FakeRunWorld) {
    const { uow, audit, outbox, home, policy } = stages;
    this.proofs = new FakeMfaProofs(uow);
    this.proofs.evidence = [SIGNED];
    this.settings = new FakeIncidentSettings(uow);
    this.checks = new FakeDestinationChecks(uow);
    this.incidents = new FakeIncidentRepository(uow, () => home.production);
    this.pages = new FakePageQueue(uow);
    const { incidents, settings, checks, pages, proofs } = this;
    const incident = createIncidents({
      ...{ uow, audit, outbox, policy, proofs, plan: stages.planning, approval: stages.approval },
      rows: { incidents, settings, checks, pages, notified: { read: () => Promise.resolve(this.notified) } },
      runs: stages.parts.create,
      twoPersonRule: new FakeTwoPersonRule(uow),
      seats: new FakeStandings(),
      autonomy: { current: unasked },
      reaches: {
        channelOf: (address) => (address.includes('@') ? 'email' : 'slack'),
        addressForms: () => [],
        test: unasked,
      },
      ...{ vault: { resolve: unasked }, pager: { send: unasked }, mayConnect: unasked },
      publicUrl: 'https://countersign.example',
    });
    this.availability = incident.breakGlassAvailability;
    this.#invoking = incident.invokeBreakGlass;
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

/** A condition of break-glass that is lacking, the code of the refusal, and how it comes about. */
export const LACKING: readonly [
  condition: string,
  code: string,
  (of: FakeBreakGlassWorld, by: PersonPrincipal) => unknown,
][] = [
  [
    'it is switched off',
    'break_glass.disabled',
    (of) => {
      of.override({ enabled: false });
    },
  ],
  [
    'their role is not named',
    'break_glass.role',
    (of) => {
      of.override({ allowed_roles: ['SecurityReviewer'] });
    },
  ],
  [
    'they were disabled meanwhile',
    'break_glass.role',
    (of, by) => {
      of.stages.approvals.disable(by);
    },
  ],
  ['a halt is set', 'halt.active', (of) => of.stages.halt()],
];
