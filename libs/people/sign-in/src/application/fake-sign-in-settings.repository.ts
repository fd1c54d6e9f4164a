import { newId, type PersonId, type Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { IssuerStanding } from '../domain/issuer-standing.js';
import type { Issuer, IssuerDescription, SignInSettings } from '../domain/issuer.js';
import type { SignInSettingsRepository } from './sign-in.ports.js';

type Limits = Omit<SignInSettings, 'issuers'>;
interface Standing {
  readonly how: IssuerStanding;
  readonly personId: PersonId;
}

const BEFORE_THE_FIRST: Limits = {
  revision: 0,
  reauthenticateAfterMinutes: 720,
  signInRequired: false,
  dormantAfterDays: 90,
  browserSessionMinutes: 720,
  browserSessionIdleMinutes: 60,
};

const within = (value: number, from: number, to: number): boolean => value >= from && value <= to;

/** Keeps sign-in settings in memory. */
export class FakeSignInSettingsRepository implements SignInSettingsRepository {
  readonly #limits: FakeTable<Limits>;
  readonly #issuers: FakeTable<Issuer & { readonly inService: boolean }>;
  readonly #standings: FakeTable<Standing>;

  constructor(database: FakeUnitOfWork) {
    this.#limits = new FakeTable(database);
    this.#issuers = new FakeTable(database);
    this.#standings = new FakeTable(database);
  }

  read(tx: Tx): Promise<SignInSettings> {
    const limits = this.#limits.of(tx).get('') ?? BEFORE_THE_FIRST;
    return Promise.resolve({ ...limits, issuers: this.inService(tx) });
  }

  lock(tx: Tx): Promise<SignInSettings> {
    return this.read(tx);
  }

  save(tx: Tx, { issuers, ...limits }: Limits & { readonly issuers: readonly IssuerDescription[] }): Promise<void> {
    const allowed =
      limits.revision >= 1 &&
      within(limits.reauthenticateAfterMinutes, 5, 43_200) &&
      within(limits.dormantAfterDays, 7, 365) &&
      within(limits.browserSessionMinutes, 15, 720) &&
      within(limits.browserSessionIdleMinutes, 5, 60);
    if (!allowed) return Promise.reject(new FakeRefusal('23514', 'sign_in_settings_check'));
    if (new Set(issuers.map(({ name }) => name)).size < issuers.length)
      return Promise.reject(new FakeRefusal('23505', 'issuer_name_key'));
    this.#limits.of(tx).set('', limits);
    const rows = this.#issuers.of(tx);
    for (const [id, row] of [...rows]) rows.set(id, { ...row, inService: false });
    for (const issuer of issuers) {
      const id = [...rows.values()].find(({ url }) => url === issuer.url)?.id ?? newId();
      rows.set(id, { ...issuer, id, inService: true });
    }
    return Promise.resolve();
  }

  keepStanding(
    tx: Tx,
    { issuerId, ...standing }: { readonly issuerId: string; readonly how: IssuerStanding; readonly personId: PersonId },
  ): Promise<void> {
    if (!this.#issuers.of(tx).has(issuerId))
      return Promise.reject(new FakeRefusal('23503', 'issuer_standing_issuer_fk'));
    this.#standings.of(tx).set(issuerId, standing);
    return Promise.resolve();
  }

  standing(tx: Tx, issuerId: string): Promise<Standing | null> {
    return Promise.resolve(this.#standings.of(tx).get(issuerId) ?? null);
  }

  issuer(tx: Tx, id: string): Promise<Issuer | null> {
    return Promise.resolve(this.inService(tx).find((issuer) => issuer.id === id) ?? null);
  }

  /** The issuers of a tenant that are in service, in the order in which they were first named. */
  inService(tx: Pick<Tx, 'tenantId'>): readonly Issuer[] {
    const rows = [...this.#issuers.of(tx).values()].filter((row) => row.inService);
    return rows.map(({ inService: _inService, ...issuer }) => issuer);
  }
}
