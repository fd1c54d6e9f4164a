import { PLATFORM_ADMIN } from '#lib/formats';
import {
  err,
  notFound,
  ok,
  type ChangeRequestId,
  type Failure,
  type PageRequest,
  type PersonId,
  type PersonPrincipal,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { standingsIn, type Seats } from '#lib/identity';
import { type ChangeRequest } from '../domain/change-request.js';
import { decideOpen, decideSecondPerson, secondPersons, type Confirmer } from '../domain/decide-confirm.js';
import type {
  ChangeFilter,
  ChangeRequestRepository,
  ConfirmerDirectory,
  NamedChange,
  NamedConfirmer,
} from './change-request.ports.js';

/** A change as one reader sees it. */
export interface ChangeSeen extends NamedChange {
  /** The reason why the reader may not confirm it; null if they may. */
  readonly refusal: Failure | null;
  /** The people who can confirm it now. */
  readonly confirmers: readonly { readonly id: PersonId; readonly displayName: string }[];
}

/** Reads changes: those that wait, and those that ended. */
export class ReadChanges {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly changes: ChangeRequestRepository,
    private readonly confirmers: ConfirmerDirectory,
    private readonly seats: Pick<Seats, 'waysIn'>,
  ) {}

  one(by: Principal, id: ChangeRequestId): Promise<Result<ChangeSeen>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const found = await this.changes.find(tx, id);
      if (found === null) return err(notFound('change'));
      const [seen] = await this.#seen(tx, by, [found]);
      return seen === undefined ? err(notFound('change')) : ok(seen);
    });
  }

  /** Newest first; with `confirmable` only the changes that the reader may confirm. */
  list(
    by: Principal,
    filter: ChangeFilter & { readonly confirmable: boolean },
    page: PageRequest,
  ): Promise<readonly ChangeSeen[]> {
    return this.uow.run(by.tenantId, async (tx) => {
      if (!filter.confirmable) return this.#seen(tx, by, await this.changes.list(tx, filter, page));
      const found: ChangeSeen[] = [];
      let { after } = page;
      // Few changes wait at a time: one page is mostly enough.
      for (;;) {
        const rows = await this.changes.list(tx, { ...filter, state: 'open' }, { ...page, after });
        found.push(...(await this.#seen(tx, by, rows)).filter(({ refusal }) => refusal === null));
        const last = rows.at(-1);
        if (last === undefined || rows.length < page.limit || found.length >= page.limit)
          return found.slice(0, page.limit);
        after = { at: last.change.openedAt, id: last.change.id };
      }
    });
  }

  async #seen(tx: Tx, by: Principal, rows: readonly NamedChange[]): Promise<readonly ChangeSeen[]> {
    const now = await tx.now();
    const holders = await this.confirmers.holders(tx, PLATFORM_ADMIN);
    const reader = by.kind === 'person' ? readerAmong(holders, by) : null;
    const able = [...holders, ...(reader === null ? [] : [reader])].map(({ personId }) => personId);
    const parties = rows.flatMap(({ change }) => partiesOf(change));
    const waysIn = await this.seats.waysIn(tx, [...able, ...parties]);
    return rows.map((row) => {
      const open = decideOpen(row.change, now);
      if (!open.ok) return { ...row, refusal: open.error, confirmers: [] };
      const votes = standingsIn([...able, ...partiesOf(row.change)], waysIn, row.change.openedAt);
      const second = reader === null ? err(personsOnly) : decideSecondPerson(open.value, reader, votes);
      return {
        ...row,
        refusal: second.ok ? null : second.error,
        confirmers: namesOf(secondPersons(open.value, holders, votes)),
      };
    });
  }
}

/** The confirmers as people read them. */
export const namesOf = (confirmers: readonly NamedConfirmer[]): ChangeSeen['confirmers'] =>
  confirmers.map(({ personId, displayName }) => ({ id: personId, displayName }));

const partiesOf = ({ requestedBy, beneficiaryId }: ChangeRequest): PersonId[] =>
  beneficiaryId === null ? [requestedBy] : [requestedBy, beneficiaryId];

/** A reader without the role is not among its holders. */
const readerAmong = (holders: readonly Confirmer[], { personId, roles }: PersonPrincipal): Confirmer =>
  holders.find((holder) => holder.personId === personId) ?? { personId, roles, reenrolled: null };

const personsOnly: Failure = {
  kind: 'forbidden',
  code: 'credential.person_required',
  message: 'Only a person decides on a change.',
  action: 'Have a person of your tenant decide, in a browser or with their own credential.',
};
