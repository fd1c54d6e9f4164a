import { createHash } from 'node:crypto';
import { actorOf, newId, type Actor, type PageRequest, type Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { AUTOMATION_TRANSITIONS } from '../domain/automation-transitions.js';
import type { Automation, AutomationRevision } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import type { AutomationCourse, AutomationRepository, ProposalCount } from './automation.ports.js';

/** A revision that the tenant's agent wrote. */
export const sampleAutomationRevision = ({ agent }: SampleTenant, number = 1): AutomationRevision => {
  const source = `# revision ${String(number)}\n`;
  const sha256 = createHash('sha256').update(source, 'utf8').digest('hex');
  return { number, source, sha256, author: actorOf(agent), createdAt: Date.UTC(2026, 0, 5, 8) };
};

/** A proposed automation for staging, under a name of its own. */
export function sampleAutomation(tenant: SampleTenant, proposedAt = Date.UTC(2026, 0, 5, 8)): Automation {
  const id = newId<AutomationId>();
  const { id: environmentId, name } = tenant.staging;
  return {
    ...{ id, name: `a-${id}`, environment: { id: environmentId, name }, state: 'proposed', version: 1 },
    ...{ revision: sampleAutomationRevision(tenant), identity: null, failures: 0 },
    ...{ lookedUntil: null, nextAt: null, listensFrom: null, proposedAt },
  };
}

/** Keeps automations in memory. */
export class FakeAutomationRepository implements AutomationRepository {
  readonly #automations: FakeTable<Automation>;
  readonly #revisions: FakeTable<AutomationRevision>;

  constructor(database: FakeUnitOfWork) {
    this.#automations = new FakeTable(database);
    this.#revisions = new FakeTable(database);
  }

  insert(tx: Tx, automation: Automation): Promise<boolean> {
    const rows = this.#automations.of(tx);
    if ([...rows.values()].some((each) => each.name === automation.name && holdsName(each)))
      return Promise.resolve(false);
    requireTransition(AUTOMATION_TRANSITIONS, '', automation.state);
    rows.set(automation.id, automation);
    return Promise.resolve(true);
  }

  addRevision(tx: Tx, id: AutomationId, revision: AutomationRevision): Promise<void> {
    const key = revisionKey(id, revision);
    if (this.#revisions.of(tx).has(key)) throw new FakeRefusal('23505', 'automation_revision_pk');
    if (!this.#automations.of(tx).has(id)) throw new FakeRefusal('23503', 'automation_revision_automation_fk');
    this.#revisions.of(tx).set(key, revision);
    return Promise.resolve();
  }

  source(tx: Tx, id: AutomationId, number: number): Promise<string | null> {
    return Promise.resolve(this.#revisions.of(tx).get(revisionKey(id, { number }))?.source ?? null);
  }

  find(tx: Tx, id: AutomationId): Promise<Automation | null> {
    return Promise.resolve(this.#whole(tx).find((automation) => automation.id === id) ?? null);
  }

  lock(tx: Tx, id: AutomationId): Promise<Automation | null> {
    return this.find(tx, id);
  }

  list(tx: Tx, page: PageRequest): Promise<readonly Automation[]> {
    return Promise.resolve(fakePage(this.#whole(tx), ({ proposedAt }) => proposedAt, page));
  }

  isNameTaken(tx: Tx, { id, name }: Pick<Automation, 'id' | 'name'>): Promise<boolean> {
    const others = [...this.#automations.of(tx).values()].filter((each) => each.id !== id);
    return Promise.resolve(others.some((each) => each.name === name && holdsName(each)));
  }

  countProposed(tx: Tx, { id: by }: Pick<Actor, 'id'>, since: number): Promise<ProposalCount> {
    const all = [...this.#automations.of(tx).values()];
    const waiting = all.filter(({ state }) => state === 'proposed');
    const isOwn = ({ id }: Automation): boolean => this.#first(tx, id)?.author.id === by;
    const recent = all.filter((each) => each.proposedAt > since && isOwn(each));
    return Promise.resolve({ all: waiting.length, own: waiting.filter(isOwn).length, recent: recent.length });
  }

  proposer(tx: Tx, id: AutomationId): Promise<Actor | null> {
    return Promise.resolve(this.#first(tx, id)?.author ?? null);
  }

  #first(tx: Tx, id: AutomationId): AutomationRevision | undefined {
    return this.#revisions.of(tx).get(revisionKey(id, { number: 1 }));
  }

  save(tx: Tx, { id, environment, state, version, revision, identity }: Automation): Promise<void> {
    const before = this.#automations.of(tx).get(id);
    if (before === undefined) return Promise.resolve();
    requireTransition(AUTOMATION_TRANSITIONS, before.state, state);
    if (version !== before.version + 1) throw new FakeRefusal('CS001', 'it changes under the next version alone');
    this.#automations.of(tx).set(id, { ...before, environment, state, version, revision, identity });
    return Promise.resolve();
  }

  enabled(tx: Tx): Promise<readonly Automation[]> {
    const enabled = this.#whole(tx).filter(({ state }) => state === 'enabled');
    return Promise.resolve(enabled.sort((one, other) => (one.id < other.id ? -1 : 1)));
  }

  async listening(tx: Tx): Promise<readonly Automation[]> {
    return (await this.enabled(tx)).filter(({ listensFrom }) => listensFrom !== null);
  }

  lockFollowing(): Promise<void> {
    return Promise.resolve();
  }

  saveCourse(tx: Tx, { id, failures, lookedUntil, nextAt, listensFrom }: AutomationCourse): Promise<void> {
    const before = this.#automations.of(tx).get(id);
    if (before !== undefined)
      this.#automations.of(tx).set(id, { ...before, failures, lookedUntil, nextAt, listensFrom });
    return Promise.resolve();
  }

  /** The automations with their revision in force; one without it is left out. */
  #whole(tx: Tx): Automation[] {
    return [...this.#automations.of(tx).values()].flatMap((automation) => {
      const revision = this.#revisions.of(tx).get(revisionKey(automation.id, automation.revision));
      return revision === undefined ? [] : [{ ...automation, revision }];
    });
  }
}

/** One that was disabled before it was ever enabled frees its name. */
const holdsName = ({ state, identity }: Automation): boolean => state !== 'disabled' || identity !== null;

const revisionKey = (id: AutomationId, { number }: Pick<AutomationRevision, 'number'>): string =>
  `${id} ${String(number)}`;
