import { v7 } from 'uuid';
import type { CredentialId, PersonId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { LinkedUser, SlackInstallations, SlackLinks } from './slack.ports.js';

interface Link extends LinkedUser {
  readonly personId: PersonId;
  readonly ended: boolean;
}

interface Code {
  readonly user: string;
  readonly expiresAt: number;
}

/** A credential as a test says that it stands. */
export interface FakeLinkCredential {
  readonly digest: Uint8Array;
  readonly expiresAt: number;
  readonly revoked: boolean;
}

interface User {
  readonly team: string;
  readonly user: string;
}

/** Keeps links of Slack users in memory. */
export class FakeSlackLinks implements SlackLinks {
  /** By id. */
  readonly credentials: FakeTable<FakeLinkCredential>;
  /** By person. */
  readonly disabled: FakeTable<true>;
  readonly #links: FakeTable<Link>;
  readonly #codes: FakeTable<Code>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly installations: Pick<SlackInstallations, 'settings'>,
  ) {
    this.credentials = new FakeTable(database);
    this.disabled = new FakeTable(database);
    this.#links = new FakeTable(database);
    this.#codes = new FakeTable(database);
  }

  credentialOf(tx: Tx, of: User): Promise<Uint8Array | null> {
    const link = this.#holding(tx).find((each) => isOf(each, of));
    return Promise.resolve(link === undefined ? null : (this.#credential(tx, link)?.digest ?? null));
  }

  async usersOf(tx: Tx, people: readonly PersonId[]) {
    const { installation } = await this.installations.settings(tx);
    return this.#holding(tx)
      .filter(({ teamId, personId }) => teamId === installation?.teamId && people.includes(personId))
      .filter(({ personId }) => !this.disabled.of(tx).has(personId))
      .map(({ personId, userId: user }) => ({ personId, user }));
  }

  writeCode(tx: Tx, digest: Uint8Array, user: string, lifetimeMs: number): Promise<void> {
    this.#codes.of(tx).set(keyOf(digest), { user, expiresAt: this.database.now + lifetimeMs });
    return Promise.resolve();
  }

  readCode(tx: Tx, digests: readonly Uint8Array[]): Promise<string | null> {
    return Promise.resolve(this.#code(tx, digests)?.user ?? null);
  }

  useCode(tx: Tx, digests: readonly Uint8Array[]): Promise<string | null> {
    const user = this.#code(tx, digests)?.user ?? null;
    for (const digest of digests) this.#codes.of(tx).delete(keyOf(digest));
    return Promise.resolve(user);
  }

  clear(tx: Tx, of: User): Promise<boolean> {
    const holding = new Set(this.#holding(tx).map(({ id }) => id));
    for (const link of this.#live(tx)) if (isOf(link, of) && !holding.has(link.id)) this.#end(tx, link);
    return Promise.resolve(!this.#live(tx).some((link) => isOf(link, of)));
  }

  async link(tx: Tx, link: User & { personId: PersonId; credentialId: CredentialId }): Promise<void> {
    if (this.#live(tx).some((each) => isOf(each, link))) throw new FakeRefusal('23505', 'slack_link_user_key');
    const { team: teamId, user: userId, personId, credentialId } = link;
    const row = { id: v7(), teamId, userId, personId, credentialId, linkedAt: await tx.now(), ended: false };
    this.#links.of(tx).set(row.id, row);
  }

  mine(tx: Tx, personId: PersonId): Promise<readonly LinkedUser[]> {
    const own = this.#holding(tx).filter((link) => link.personId === personId);
    return Promise.resolve(
      own.map(({ id, teamId, userId, credentialId, linkedAt }) => ({ id, teamId, userId, credentialId, linkedAt })),
    );
  }

  endAll(tx: Tx): Promise<number> {
    const live = this.#live(tx);
    for (const link of live) {
      const credential = this.#credential(tx, link);
      if (credential) this.credentials.of(tx).set(link.credentialId, { ...credential, revoked: true });
      this.#end(tx, link);
    }
    return Promise.resolve(live.length);
  }

  #live(tx: Tx): readonly Link[] {
    return [...this.#links.of(tx).values()].filter(({ ended }) => !ended);
  }

  #holding(tx: Tx): readonly Link[] {
    return this.#live(tx).filter((link) => {
      const credential = this.#credential(tx, link);
      return credential !== undefined && !credential.revoked && credential.expiresAt > this.database.now;
    });
  }

  #credential(tx: Tx, { credentialId }: Link): FakeLinkCredential | undefined {
    return this.credentials.of(tx).get(credentialId);
  }

  #end(tx: Tx, link: Link): void {
    this.#links.of(tx).set(link.id, { ...link, ended: true });
  }

  #code(tx: Tx, digests: readonly Uint8Array[]): Code | undefined {
    return digests
      .flatMap((digest) => this.#codes.of(tx).get(keyOf(digest)) ?? [])
      .find(({ expiresAt }) => expiresAt > this.database.now);
  }
}

const keyOf = (digest: Uint8Array): string => Buffer.from(digest).toString('hex');
const isOf = ({ teamId, userId }: Link, { team, user }: User): boolean => teamId === team && userId === user;
