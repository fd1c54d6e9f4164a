import { v7 } from 'uuid';
import { newId, type CredentialId, type PersonId, type TenantId, type Tx } from '#lib/kernel';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Installed, SlackApp, SlackInstallations, SlackSettings, SlackWorkspace } from './slack.ports.js';

interface Beginner {
  readonly personId: PersonId;
  readonly credentialId: CredentialId;
  readonly reason?: string;
}

interface Begun {
  readonly by: Beginner;
  readonly expiresAt: number;
}

interface Routes {
  readonly channels: Readonly<Record<string, string>>;
  readonly onDuty: readonly PersonId[];
}

/** Rows that are found before their tenant is known. */
const ANYWHERE = { tenantId: newId<TenantId>() };
/** The key of a table with one row a tenant. */
const ONLY = 'only';

/** Keeps the apps and workspaces of tenants in memory, with their secrets in plain. */
export class FakeSlackInstallations implements SlackInstallations {
  readonly #apps: FakeTable<{ readonly app: SlackApp; readonly writtenAt: number }>;
  readonly #installed: FakeTable<Installed & { readonly installedAt: number }>;
  readonly #routes: FakeTable<Routes>;
  readonly #begun: FakeTable<Begun>;
  /** The tenants of installations, by app and team, and the attempts to install, by state. */
  readonly #located: FakeTable<{ readonly tenantId: TenantId; readonly id: string }>;
  readonly #names: ReadonlyMap<TenantId, ReadonlyMap<PersonId, string>>;

  /** @param tenants the only ones with people. */
  constructor(
    private readonly database: FakeUnitOfWork,
    tenants: readonly SampleTenant[],
  ) {
    this.#apps = new FakeTable(database);
    this.#installed = new FakeTable(database);
    this.#routes = new FakeTable(database);
    this.#begun = new FakeTable(database);
    this.#located = new FakeTable(database);
    this.#names = new Map(
      tenants.map(({ tenantId, owner, admin }) => [
        tenantId,
        new Map([owner, admin].map(({ personId, displayName }) => [personId, displayName])),
      ]),
    );
  }

  locate(app: string, team: string): Promise<TenantId | null> {
    return Promise.resolve(this.#located.of(ANYWHERE).get(`${app}:${team}`)?.tenantId ?? null);
  }

  workspace(tx: Tx): Promise<SlackWorkspace | null> {
    const [found, installed] = [this.#app(tx), this.#installed.of(tx).get(ONLY)];
    if (found === undefined || installed === undefined) return Promise.resolve(null);
    const { teamId, teamName, appId, botUserId, botToken } = installed;
    const { signingSecret } = found.app;
    return Promise.resolve({ tenantId: tx.tenantId, teamId, teamName, appId, botUserId, botToken, signingSecret });
  }

  app(tx: Tx): Promise<SlackApp | null> {
    return Promise.resolve(this.#app(tx)?.app ?? null);
  }

  lockApp(tx: Tx): Promise<{ readonly app: SlackApp; readonly writtenAt: number } | null> {
    return Promise.resolve(this.#app(tx) ?? null);
  }

  signingSecret(tx: Tx): Promise<string | null> {
    return Promise.resolve(this.#app(tx)?.app.signingSecret ?? null);
  }

  saveApp(tx: Tx, app: SlackApp): Promise<void> {
    this.#apps.of(tx).set(ONLY, { app, writtenAt: this.database.now });
    return Promise.resolve();
  }

  beginInstall(tx: Tx, state: Uint8Array, { personId, credentialId, reason }: Beginner, ms: number): Promise<void> {
    const id = v7();
    const by = { personId, credentialId, ...(reason === undefined ? {} : { reason }) };
    this.#begun.of(tx).set(id, { by, expiresAt: this.database.now + ms });
    this.#located.of(ANYWHERE).set(keyOf(state), { tenantId: tx.tenantId, id });
    return Promise.resolve();
  }

  locateInstall(states: readonly Uint8Array[]): Promise<{ readonly tenantId: TenantId; readonly id: string } | null> {
    const [found] = states.flatMap((state) => this.#located.of(ANYWHERE).get(keyOf(state)) ?? []);
    return Promise.resolve(found ?? null);
  }

  useInstall(tx: Tx, id: string) {
    const begun = this.#begun.of(tx).get(id);
    if (begun === undefined || begun.expiresAt <= this.database.now) return Promise.resolve(null);
    this.#begun.of(tx).delete(id);
    return Promise.resolve({ ...begun.by, displayName: this.#people(tx).get(begun.by.personId) ?? '' });
  }

  async saveInstallation(tx: Tx, installed: Installed): Promise<boolean> {
    await this.removeInstallation(tx);
    const tenantId = await this.locate(installed.appId, installed.teamId);
    if (tenantId !== null) return false;
    this.#installed.of(tx).set(ONLY, { ...installed, installedAt: this.database.now });
    this.#located.of(ANYWHERE).set(workspaceOf(installed), { tenantId: tx.tenantId, id: '' });
    return true;
  }

  removeInstallation(tx: Tx): Promise<void> {
    const installed = this.#installed.of(tx).get(ONLY);
    if (installed) this.#located.of(ANYWHERE).delete(workspaceOf(installed));
    this.#installed.of(tx).delete(ONLY);
    return Promise.resolve();
  }

  channels(tx: Tx): Promise<Readonly<Record<string, string>> | null> {
    return Promise.resolve(this.#installed.of(tx).has(ONLY) ? this.#routed(tx).channels : null);
  }

  settings(tx: Tx): Promise<SlackSettings> {
    const [found, installed] = [this.#app(tx), this.#installed.of(tx).get(ONLY)];
    const installation = installed && {
      teamId: installed.teamId,
      teamName: installed.teamName,
      installedAt: installed.installedAt,
    };
    return Promise.resolve({
      app: found ? { clientId: found.app.clientId } : null,
      installation: installation ?? null,
      ...this.#routed(tx),
    });
  }

  setChannels(tx: Tx, channels: Readonly<Record<string, string>>): Promise<void> {
    this.#routes.of(tx).set(ONLY, { ...this.#routed(tx), channels });
    return Promise.resolve();
  }

  setOnDuty(tx: Tx, people: readonly PersonId[]): Promise<void> {
    const onDuty = people.filter((id) => this.#people(tx).has(id));
    this.#routes.of(tx).set(ONLY, { ...this.#routed(tx), onDuty });
    return Promise.resolve();
  }

  namesOf(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, string>> {
    return Promise.resolve(new Map([...this.#people(tx)].filter(([id]) => people.includes(id))));
  }

  #app(tx: Tx) {
    return this.#apps.of(tx).get(ONLY);
  }

  #people({ tenantId }: Tx): ReadonlyMap<PersonId, string> {
    return this.#names.get(tenantId) ?? new Map<PersonId, string>();
  }

  #routed(tx: Tx): Routes {
    return this.#routes.of(tx).get(ONLY) ?? { channels: {}, onDuty: [] };
  }
}

const workspaceOf = ({ appId, teamId }: Installed): string => `${appId}:${teamId}`;
const keyOf = (state: Uint8Array): string => Buffer.from(state).toString('hex');
