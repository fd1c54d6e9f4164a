import { EXECUTOR_KINDS, type AddressVerdict } from '#lib/dispatch';
import type { ToolDocument } from '#lib/formats';
import type { CarriesOutChange, PersonPrincipal, ProposedChange, Tx } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule, sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { FakeEnvironmentRepository } from '../../../tenancy/src/application/fake-environment.repository.js';
import { createTools } from '../create-tools.js';
import type { ChangeCatalog } from './change-catalog.js';
import { FakeExecutorRepository } from './fake-executor.repository.js';
import { FakeSecretNames } from './fake-secret-names.js';
import { FakeToolRepository } from './fake-tool.repository.js';
import { FakeToolUsage } from './fake-tool-usage.js';
import type { PutExecutor } from './put-executor.js';
import type { ReadRegistry } from './read-registry.js';

/** A tool that reads, unless its document says more. */
export const looking = (members: Partial<ToolDocument> = {}): ToolDocument => ({
  description: 'Looks at servers.',
  risk: 'read_only',
  idempotent: true,
  scope: 'asset',
  ...members,
});

/** A tool that changes servers in production; `look` predicts it. */
export const rolling = (members: Partial<ToolDocument> = {}): ToolDocument =>
  looking({
    description: 'Rolls an image out.',
    risk: 'state_change_prod',
    effect: 'modify',
    idempotent: false,
    simulated_by: 'look',
    ...members,
  });

/** The use cases of the registry over fakes. The clock stands until the test moves it. */
export class FakeToolWorld {
  readonly #world = fakeWorld();
  readonly uow = this.#world.uow;
  readonly home = this.#world.home;
  readonly other = this.#world.other;
  readonly admin: PersonPrincipal = { ...this.home.admin, scopes: ['read', 'admin'], reason: 'The fleet grew.' };
  readonly confirmer = samplePerson(this.home.tenantId, ['PlatformAdmin']);
  readonly tools = new FakeToolRepository(this.uow);
  readonly executors = new FakeExecutorRepository(this.uow, [this.home.production, this.home.staging]);
  readonly usage = new FakeToolUsage(this.uow);
  readonly secrets = new FakeSecretNames(this.uow);
  readonly rule: FakeTwoPersonRule;
  readonly #environments = new FakeEnvironmentRepository(this.uow, [this.home, this.other]);
  readonly #audit = new FakeAuditSink(this.uow);
  /** The operator's rule for a host. */
  verdict: (host: string) => AddressVerdict = () => 'public';
  readonly catalog: ChangeCatalog;
  readonly putting: PutExecutor;
  readonly reading: ReadRegistry;

  /** @param secondAdmin whether a person could confirm a loosening: then it waits. */
  constructor({ secondAdmin = false } = {}) {
    const { uow, tools, executors, secrets: secretNames, usage } = this;
    this.rule = new FakeTwoPersonRule(uow, secondAdmin);
    const made = createTools({
      uow,
      rows: { tools, executors, secretNames, usage },
      environments: this.#environments,
      addresses: { rulesOf: () => Promise.resolve((host) => this.verdict(host)) },
      twoPersonRule: this.rule,
      audit: this.#audit,
      executorKinds: EXECUTOR_KINDS,
    });
    this.catalog = made.changeCatalog;
    this.putting = made.putExecutor;
    this.reading = made.readRegistry;
  }

  inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.home.tenantId, work);
  }

  /** Puts these tools; others stay. */
  put(tools: Readonly<Record<string, ToolDocument>>, by = this.admin) {
    return this.catalog.execute(by, new Map(Object.entries(tools)), { keep: 'others_stay', dryRun: false });
  }

  /** A second person confirms a change request, as it was proposed. */
  confirm<Payload>(useCase: CarriesOutChange<Payload>, change: ProposedChange | undefined) {
    if (change === undefined) throw new Error('no change waits');
    const stored = useCase.payload.safeParse(change.payload);
    if (!stored.success) throw new Error('the payload does not fit');
    const confirmation = sampleConfirmation(change, this.admin, this.confirmer);
    return this.inTx((tx) => useCase.carryOut(tx, confirmation, stored.data));
  }

  /** The open change requests. */
  get waiting(): readonly ProposedChange[] {
    return this.rule.waitingIn(this.home);
  }

  /** The audit entries, in order. */
  get audited() {
    return this.#audit.of(this.home);
  }

  /** The current version of each tool, by name. */
  async versions(): Promise<Readonly<Record<string, number>>> {
    const tools = await this.inTx((tx) => this.tools.list(tx));
    return Object.fromEntries(tools.map(({ name, version }) => [name, version]));
  }
}
