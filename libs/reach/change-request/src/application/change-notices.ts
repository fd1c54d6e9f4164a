import { toMinute } from '#lib/words';
import type { Seats } from '#lib/identity';
import type { ChangeRequestId, OutboxPayloads, PersonId, Tx } from '#lib/kernel';
import type { NoticeSource, NoticeToTell } from '#lib/delivery';
import { decideSecondPerson } from '../domain/decide-confirm.js';
import type { ChangeRequestRepository, ConfirmerDirectory, NamedChange } from './change-request.ports.js';

/** A notice lists at most this many loosened settings. The linked page lists all. */
const MAX_LINES = 8;

/** Says in one line which decisions of the last days the change would have taken otherwise. */
export interface ChangeImpact {
  lineOf(
    tx: Tx,
    id: ChangeRequestId,
  ): Promise<{
    /** Null if there is nothing to say. */
    readonly line: string | null;
    /** Whether the impact report is not complete yet. */
    readonly pending: boolean;
  }>;
}

/** How long a mail about a change request is held back for its impact. */
const AWAIT_IMPACT_MS = 60_000;

/** Notices of a change. The people who can confirm it hear that it waits, and its author hears how it ended. */
export class ChangeNotices implements NoticeSource<'change_request.changed'> {
  /** @param publicUrl the address of Countersign in a browser. */
  constructor(
    private readonly changes: ChangeRequestRepository,
    private readonly confirmers: ConfirmerDirectory,
    private readonly seats: Pick<Seats, 'standingOf'>,
    private readonly impact: ChangeImpact,
    private readonly publicUrl: string,
  ) {}

  async read(tx: Tx, { change_id: id, event }: OutboxPayloads['change_request.changed']): Promise<NoticeToTell | null> {
    const named = await this.changes.find(tx, id);
    if (named === null) return null;
    const { change } = named;
    const impact = change.state === 'open' ? await this.impact.lineOf(tx, change.id) : { line: null, pending: false };
    const awaits = impact.pending && (await tx.now()) < change.openedAt + AWAIT_IMPACT_MS;
    return {
      id: change.id,
      title: `${change.state === 'open' ? 'Waits for a second person' : `Change ${change.state}`}: ${change.what}`,
      lines: [...loosening(change.loosens), ...(impact.line === null ? [] : [impact.line]), ...standing(named)],
      done: null,
      words: { of: named.requestedByName, text: change.why },
      url: new URL(`/changes/${change.id}`, this.publicUrl).toString(),
      environment: null,
      people: await this.#told(tx, named),
      always: false,
      alsoTo: [],
      ...(awaits ? { awaits } : {}),
      ...(event === 'impact' ? { editsOnly: true } : {}),
    };
  }

  async #told(tx: Tx, { change }: NamedChange): Promise<readonly PersonId[]> {
    if (change.state !== 'open') return [change.requestedBy];
    const holders = await this.confirmers.holders(tx, change.requiredRole);
    const parties = change.beneficiaryId === null ? [change.requestedBy] : [change.requestedBy, change.beneficiaryId];
    const people = [...holders.map(({ personId }) => personId), ...parties];
    const votes = await this.seats.standingOf(tx, people, change.openedAt);
    return holders.filter((holder) => decideSecondPerson(change, holder, votes).ok).map(({ personId }) => personId);
  }
}

function loosening(loosens: readonly string[]): readonly string[] {
  const more = loosens.length - MAX_LINES;
  return [
    ...loosens.slice(0, MAX_LINES).map((what) => `It loosens: ${what}`),
    ...(more > 0 ? [`It loosens ${String(more)} more; open it to see all.`] : []),
  ];
}

function standing({ change, requestedByName, closedByName }: NamedChange): readonly string[] {
  const asked = `${requestedByName} asks for it.`;
  switch (change.state) {
    case 'open':
      return [asked, `It takes ${change.requiredRole} and a second factor, until ${toMinute(change.expiresAt)}.`];
    case 'applied':
      return [asked, `${closedByName ?? 'Somebody'} confirmed it, and it is in force.`];
    case 'rejected':
      return [asked, `${closedByName ?? 'Somebody'} rejected it: ${change.reason}`];
    case 'voided':
      return [asked, change.reason];
    case 'withdrawn':
    case 'expired':
      return [asked, 'Nothing was changed.'];
  }
}
