import type { AuditEvent, PersonPrincipal, Principal, Tx } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { samplePerson, sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { definitionText, sampleRollout, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { FakeToolRepository } from '../../../../registry/tool/src/application/fake-tool.repository.js';
import { fakePolicy } from '../../../policy/src/fake-policy.js';
import { createAutonomy, type Autonomy } from '../create-autonomy.js';
import type { AutonomyRevision, Census, EnvironmentRow } from './autonomy.ports.js';
import { FakeAutonomyRepository } from './fake-autonomy.repository.js';
import type { PutAutonomyOptions } from './put-autonomy.js';

/** Two leads approve changes of production. */
export const TWO_LEADS = `autonomy:
  mode: plan_only
  environments:
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
      require_two_approvers: true
`;

/**
 * The autonomy document of a tenant in memory, under the real policies. The tenant has the environments production and
 * staging, the tools `look` and `rollout`, an admin and two leads.
 */
export class FakeAutonomyWorld {
  readonly tenant = sampleTenant();
  readonly admin: PersonPrincipal = { ...this.tenant.admin, scopes: ['read', 'admin'] };
  /** A second admin. */
  readonly other: PersonPrincipal = {
    ...samplePerson(this.tenant.tenantId, ['PlatformAdmin']),
    scopes: ['read', 'admin'],
  };
  readonly uow = new FakeUnitOfWork();
  readonly rule = new FakeTwoPersonRule(this.uow);
  readonly revisions = new FakeAutonomyRepository(this.uow);
  readonly tools = new FakeToolRepository(this.uow);
  readonly #audit = new FakeAuditSink(this.uow);
  census: Census = {
    holders: [
      { roles: ['PlatformAdmin'], people: 1 },
      { roles: ['SRELead'], people: 2 },
    ],
    enrolled: [{ roles: ['SRELead'], people: 2 }],
    agents: [],
    roles: ['PlatformAdmin', 'SRELead'],
  };
  environments: readonly EnvironmentRow[] = [this.tenant.production, this.tenant.staging];
  /** The destinations that would not answer. */
  readonly unanswered = new Set<string>();
  /** Whether a person beside the invoker is notified of break-glass. */
  notifiesAnother = true;
  readonly policy = fakePolicy(this.uow).decisionPoint;
  readonly #autonomy: Autonomy = createAutonomy({
    ...{ uow: this.uow, audit: this.#audit, tools: this.tools, twoPersonRule: this.rule },
    policy: this.policy,
    rows: {
      revisions: this.revisions,
      environments: { all: () => Promise.resolve(this.environments) },
      census: { count: () => Promise.resolve(this.census) },
      destinations: {
        unanswered: (_tx, names) =>
          Promise.resolve(
            names.filter((name) => this.unanswered.has(name)).map((name) => ({ name, why: 'has no address' })),
          ),
        tellsAnother: () => Promise.resolve(this.notifiesAnother),
      },
    },
  });
  readonly putting = this.#autonomy.putAutonomy;
  readonly reading = this.#autonomy.readAutonomy;

  static async open(): Promise<FakeAutonomyWorld> {
    const world = new FakeAutonomyWorld();
    const { admin, tools } = world;
    await world.inTx(async (tx) => {
      for (const tool of [sampleRollout(), sampleTool('look')])
        await tools.addVersion(tx, tool, definitionText(tool.definition), admin.personId, 0);
    });
    return world;
  }

  inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.tenant.tenantId, work);
  }

  /** Puts a document, by the admin and over any other unless said otherwise. */
  put(source: string, by: Principal = this.admin, options: Partial<PutAutonomyOptions> = {}) {
    return this.putting.execute(by, source, { dryRun: false, requireCurrent: () => undefined, ...options });
  }

  inForce(): Promise<AutonomyRevision | null> {
    return this.inTx((tx) => this.revisions.inForce(tx));
  }

  get audited(): readonly AuditEvent[] {
    return this.#audit.of(this.tenant);
  }
}
