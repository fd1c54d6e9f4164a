import type { PersonId, Tx } from '#lib/kernel';
import { FakeTable } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { standingsIn, type KnownBy, type Standing } from '../domain/seats.js';
import type { FakeEnrolmentRepository } from './fake-enrolment.repository.js';
import type { FakePeopleRows } from './fake-people.js';
import type { Seats } from './identity.ports.js';

const BASES = { bootstrap: 'founder', operator: 'operator', mailed: 'mailed_invitation', shown: 'token' } as const;

const mailbox = (address: string): string => {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  return `${local.replace(/\+.*/, '').replaceAll('.', '')}@${domain}`;
};

/** Reads standings from the used enrolments, the vouches, and the sign-ins at issuers that a test adds. */
export class FakeSeats implements Seats {
  readonly #ways: FakeTable<readonly KnownBy[]>;

  constructor(
    private readonly rows: FakePeopleRows,
    private readonly enrolments: FakeEnrolmentRepository,
  ) {
    this.#ways = new FakeTable(rows.database);
  }

  standingOf(tx: Tx, ids: readonly PersonId[], before?: number): Promise<ReadonlyMap<PersonId, Standing>> {
    return this.waysIn(tx, ids).then((waysIn) => standingsIn([...new Set(ids)], waysIn, before));
  }

  waysIn(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly KnownBy[]>> {
    const found = new Map<PersonId, readonly KnownBy[]>();
    const left = [...ids];
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      if (found.has(id)) continue;
      const ways = this.#waysInOf(tx, id);
      found.set(id, ways);
      left.push(...ways.flatMap(({ hand }) => hand ?? []));
    }
    return Promise.resolve(found);
  }

  keepVouch(tx: Tx, { personId, vouchedBy }: { readonly personId: PersonId; readonly vouchedBy: PersonId }) {
    return this.signIn(tx, personId, { basis: 'vouched', by: vouchedBy, counts: true });
  }

  /** Adds a sign-in that has no enrolment. */
  signIn(tx: Tx, personId: PersonId, way: Pick<KnownBy, 'basis' | 'by' | 'counts'>): Promise<void> {
    const at = this.rows.database.now;
    const hand = way.basis === 'issuer' ? way.by : null;
    const former = this.#ways.of(tx).get(personId) ?? [];
    this.#ways.of(tx).set(personId, [...former, { ...way, hand, handAt: at, issuer: null, at, since: at }]);
    return Promise.resolve();
  }

  #waysInOf(tx: Tx, personId: PersonId): readonly KnownBy[] {
    const enrolled = this.enrolments
      .usedBy(tx, personId)
      .map(({ channel, createdBy: by, createdAt: handAt, usedAt: at }): KnownBy => ({
        basis: BASES[channel],
        by,
        hand: by,
        handAt,
        issuer: null,
        at,
        since: at,
        counts: channel !== 'shown' && !(channel === 'mailed' && this.#othersMailbox(tx, personId, by)),
      }));
    return [...enrolled, ...(this.#ways.of(tx).get(personId) ?? [])].sort((a, b) => a.at - b.at);
  }

  /** Whether the person's mailbox is that of the sender, or of somebody who was there before. */
  #othersMailbox(tx: Tx, personId: PersonId, sender: PersonId | null): boolean {
    const all = [...this.rows.people.of(tx).values()];
    const theirs = all.findIndex(({ id }) => id === personId);
    const box = mailbox(all[theirs]?.email ?? '');
    return all.some(({ id, email }, index) => mailbox(email) === box && (index < theirs || id === sender));
  }
}
