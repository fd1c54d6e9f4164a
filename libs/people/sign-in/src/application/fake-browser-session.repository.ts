import type { CredentialId, FactorId, PersonId, Tx } from '#lib/kernel';
import type { WrappedBytes } from '#lib/tenancy';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { BrowserSession } from '../domain/browser-session.js';
import type { CredentialRow, FakeCredentials } from './fake-credentials.js';
import type { FakeExternalIdentityRepository } from './fake-external-identity.repository.js';
import type { FakeSignInSettingsRepository } from './fake-sign-in-settings.repository.js';
import type { BrowserSessionRepository } from './sign-in.ports.js';

type Opened = Parameters<BrowserSessionRepository['insert']>[1];

const MINUTE_MS = 60_000;

/** A browser session as a sign-in opens it. */
export const sampleBrowserSession = (members: Partial<Opened> & Pick<Opened, 'id'>): Opened => ({
  identityId: null,
  factorId: null,
  csrfToken: 'c'.repeat(43),
  browser: { userAgent: 'a browser', address: '203.0.113.7' },
  authenticatedAt: 0,
  idToken: null,
  ...members,
});

/** Keeps browser sessions in memory. */
export class FakeBrowserSessionRepository implements BrowserSessionRepository {
  readonly #browserSessions: FakeTable<Opened & { readonly createdAt: number }>;
  readonly #passkeys = new Map<FactorId, string>();

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly others: {
      readonly credentials: Pick<FakeCredentials, 'row'>;
      readonly identities: Pick<FakeExternalIdentityRepository, 'issuerIdOf'>;
      readonly settings: FakeSignInSettingsRepository;
    },
  ) {
    this.#browserSessions = new FakeTable(database);
  }

  /** A passkey that can open browser sessions has a name. */
  name(passkey: FactorId, name: string): void {
    this.#passkeys.set(passkey, name);
  }

  insert(tx: Tx, browserSession: Opened): Promise<void> {
    const oneWay = (browserSession.identityId === null) !== (browserSession.factorId === null);
    if (!oneWay || browserSession.csrfToken.length < 43)
      return Promise.reject(new FakeRefusal('23514', 'browser_session_way_check'));
    const userAgent = browserSession.browser.userAgent.slice(0, 500);
    const browser = { ...browserSession.browser, userAgent };
    this.#browserSessions.of(tx).set(browserSession.id, { ...browserSession, browser, createdAt: this.database.now });
    return Promise.resolve();
  }

  rotate(tx: Tx, id: CredentialId): Promise<boolean> {
    const credential = this.others.credentials.row(tx, id);
    return Promise.resolve(this.#browserSessions.of(tx).has(id) && credential?.revokedAt === null);
  }

  csrfToken(tx: Tx, id: CredentialId): Promise<string | null> {
    return Promise.resolve(this.#browserSessions.of(tx).get(id)?.csrfToken ?? null);
  }

  async list(tx: Tx, personId: PersonId): Promise<BrowserSession[]> {
    const ids = [...this.#browserSessions.of(tx).keys()].sort().reverse() as CredentialId[];
    const found = await Promise.all(ids.map((id) => this.find(tx, personId, id)));
    return found.filter((browserSession) => browserSession !== null);
  }

  async find(tx: Tx, personId: PersonId, id: CredentialId): Promise<BrowserSession | null> {
    const [browserSession, credential] = [this.#browserSessions.of(tx).get(id), this.others.credentials.row(tx, id)];
    if (browserSession === undefined || credential === undefined) return null;
    const own = 'personId' in credential.holder && credential.holder.personId === personId;
    if (!own || !(await this.#isLive(tx, credential))) return null;
    const { authenticatedAt, createdAt, browser, factorId } = browserSession;
    const issuerId = this.others.identities.issuerIdOf(tx, browserSession.identityId);
    const issuer = issuerId === null ? null : await this.others.settings.issuer(tx, issuerId);
    return {
      id,
      issuerName: issuer?.displayName ?? null,
      passkeyName: factorId === null ? null : (this.#passkeys.get(factorId) ?? null),
      ...browser,
      authenticatedAt,
      createdAt,
      lastUsedAt: credential.lastUsedAt,
      expiresAt: credential.expiresAt,
    };
  }

  signOutOf(
    tx: Tx,
    id: CredentialId,
  ): Promise<{ readonly issuerId: string | null; readonly idToken: WrappedBytes | null } | null> {
    const browserSession = this.#browserSessions.of(tx).get(id);
    if (browserSession === undefined) return Promise.resolve(null);
    const issuerId = this.others.identities.issuerIdOf(tx, browserSession.identityId);
    return Promise.resolve({ issuerId, idToken: browserSession.idToken });
  }

  async #isLive(tx: Tx, { revokedAt, expiresAt, lastUsedAt, createdAt }: CredentialRow): Promise<boolean> {
    const { now } = this.database;
    const { browserSessionIdleMinutes } = await this.others.settings.read(tx);
    return (
      revokedAt === null && expiresAt > now && (lastUsedAt ?? createdAt) > now - browserSessionIdleMinutes * MINUTE_MS
    );
  }
}
