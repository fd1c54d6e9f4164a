import type { PoolReach } from '#lib/dispatch';
import type { PersonId, TenantId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { RunnerId } from '../domain/ids.js';
import { NEW_RUNNER, servedEnvironments, type Runner } from '../domain/runner.js';
import type { RunnerEnrolment, RunnerIntroduction, RunnerKey, RunnerRepository } from './runner.ports.js';

const SEEN_MS = 5_000;

type StoredEnrolment = RunnerEnrolment & { readonly digest: string };

const textOf = (digest: Uint8Array): string => Buffer.from(digest).toString('hex');

/** Runners in memory. Transactions come one after another, so that each look is a lock. */
export class FakeRunnerRepository implements RunnerRepository {
  readonly #runners: FakeTable<Runner>;
  readonly #enrolments: FakeTable<StoredEnrolment>;
  readonly #keys: FakeTable<RunnerKey>;
  readonly #proofs: FakeTable<number>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#runners = new FakeTable(database);
    this.#enrolments = new FakeTable(database);
    this.#keys = new FakeTable(database);
    this.#proofs = new FakeTable(database);
  }

  insert(tx: Tx, made: Parameters<RunnerRepository['insert']>[1]): Promise<void> {
    this.#runners.of(tx).set(made.id, { ...made, ...NEW_RUNNER });
    return Promise.resolve();
  }

  byName(tx: Tx, name: string): Promise<Runner | null> {
    return Promise.resolve(this.#all(tx).find((each) => each.name === name && each.revokedAt === null) ?? null);
  }

  find(tx: Tx, id: RunnerId): Promise<Runner | null> {
    return Promise.resolve(this.#runners.of(tx).get(id) ?? null);
  }

  list(tx: Tx): Promise<readonly Runner[]> {
    const newest = this.#all(tx).sort((one, other) => other.createdAt - one.createdAt);
    return Promise.resolve([
      ...newest.filter(({ revokedAt }) => revokedAt === null),
      ...newest.filter(({ revokedAt }) => revokedAt !== null),
    ]);
  }

  reach(tx: Tx, pool: string, environment: string, since: number): Promise<PoolReach> {
    const takers = this.#all(tx).filter(
      (each) =>
        each.pool === pool &&
        each.environments.includes(environment) &&
        each.enrolledAt !== null &&
        each.revokedAt === null,
    );
    if (takers.length === 0) return Promise.resolve('none');
    const serving = takers.filter(({ worksIn }) => worksIn?.includes(environment) ?? true);
    if (serving.length === 0) return Promise.resolve('elsewhere');
    const online = serving.some(({ lastSeenAt, leftAt }) => leftAt === null && (lastSeenAt ?? 0) > since);
    return Promise.resolve(online ? 'online' : 'offline');
  }

  markEnrolled(tx: Tx, id: RunnerId, version: string, at: number): Promise<void> {
    return this.#change(tx, id, { enrolledAt: at, lastSeenAt: at, version });
  }

  introduce(tx: Tx, id: RunnerId, said: RunnerIntroduction): Promise<void> {
    return this.#change(tx, id, said);
  }

  noWayBack(tx: Tx, pool: string, environment: string): Promise<string | null> {
    const [first] = this.#all(tx)
      .filter((each) => each.pool === pool && servedEnvironments(each).includes(environment))
      .filter(({ revokedAt, noWayBack }) => revokedAt === null && noWayBack !== null)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    return Promise.resolve(first?.noWayBack ?? null);
  }

  async saw(tx: Tx, id: RunnerId, at: number): Promise<void> {
    const runner = await this.find(tx, id);
    const seen = runner?.lastSeenAt ?? null;
    if (runner?.leftAt === null && seen !== null && seen >= at - SEEN_MS) return;
    await this.#change(tx, id, { lastSeenAt: at, leftAt: null });
  }

  left(tx: Tx, id: RunnerId, at: number): Promise<void> {
    return this.#change(tx, id, { leftAt: at });
  }

  async revoke(tx: Tx, id: RunnerId, _by: PersonId, at: number): Promise<void> {
    await this.#change(tx, id, { revokedAt: at });
    const keys = await this.keys(tx, id);
    await this.revokeKeys(
      tx,
      keys.map((key) => key.id),
      at,
    );
  }

  insertEnrolment(tx: Tx, made: Parameters<RunnerRepository['insertEnrolment']>[1]): Promise<void> {
    const { id, runnerId, digest, expiresAt } = made;
    this.#enrolments.of(tx).set(id, { id, runnerId, expiresAt, usedAt: null, digest: textOf(digest) });
    return Promise.resolve();
  }

  locateEnrolment(digests: readonly Uint8Array[]): Promise<{ tenantId: TenantId; id: string } | null> {
    const wanted = digests.map(textOf);
    for (const tenantId of this.#enrolments.tenants) {
      const found = [...this.#enrolments.of({ tenantId }).values()].find(({ digest }) => wanted.includes(digest));
      if (found !== undefined) return Promise.resolve({ tenantId, id: found.id });
    }
    return Promise.resolve(null);
  }

  lockEnrolment(tx: Tx, id: string): Promise<RunnerEnrolment | null> {
    const found = this.#enrolments.of(tx).get(id);
    if (found === undefined) return Promise.resolve(null);
    const { digest: _, ...enrolment } = found;
    return Promise.resolve(enrolment);
  }

  markEnrolmentUsed(tx: Tx, id: string, at: number): Promise<void> {
    const found = this.#enrolments.of(tx).get(id);
    if (found !== undefined) this.#enrolments.of(tx).set(id, { ...found, usedAt: at });
    return Promise.resolve();
  }

  insertKey(tx: Tx, key: Parameters<RunnerRepository['insertKey']>[1]): Promise<void> {
    this.#keys.of(tx).set(key.id, { ...key, revokedAt: null });
    return Promise.resolve();
  }

  key(tx: Tx, id: string): Promise<RunnerKey | null> {
    return Promise.resolve(this.#keys.of(tx).get(id) ?? null);
  }

  keys(tx: Tx, runnerId: RunnerId): Promise<readonly RunnerKey[]> {
    const own = [...this.#keys.of(tx).values()].filter((key) => key.runnerId === runnerId);
    return Promise.resolve(own.sort((one, other) => one.createdAt - other.createdAt));
  }

  revokeKeys(tx: Tx, ids: readonly string[], at: number): Promise<void> {
    for (const id of ids) {
      const key = this.#keys.of(tx).get(id);
      if (key?.revokedAt === null) this.#keys.of(tx).set(id, { ...key, revokedAt: at });
    }
    return Promise.resolve();
  }

  useProof(
    tx: Tx,
    runnerId: RunnerId,
    jti: string,
    expiresAt: number,
  ): Promise<{ readonly fresh: boolean; readonly recent: number }> {
    const proofs = this.#proofs.of(tx);
    const own = `${runnerId}:`;
    for (const [key, until] of proofs) if (key.startsWith(own) && until <= this.database.now) proofs.delete(key);
    const fresh = !proofs.has(own + jti);
    if (fresh) proofs.set(own + jti, expiresAt);
    return Promise.resolve({ fresh, recent: [...proofs.keys()].filter((key) => key.startsWith(own)).length });
  }

  #all(tx: Tx): Runner[] {
    return [...this.#runners.of(tx).values()];
  }

  #change(tx: Tx, id: RunnerId, changes: Partial<Runner>): Promise<void> {
    const runner = this.#runners.of(tx).get(id);
    if (runner !== undefined) this.#runners.of(tx).set(id, { ...runner, ...changes });
    return Promise.resolve();
  }
}
