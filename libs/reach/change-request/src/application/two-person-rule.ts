import { PLATFORM_ADMIN } from '#lib/formats';
import {
  actorOf,
  err,
  FailureError,
  newId,
  ok,
  tightening,
  type ChangeAdmission,
  type AuditSink,
  type ChangeKind,
  type AdmittedChange,
  type ChangeRequestId,
  type ConfirmedChange,
  type Failure,
  type TwoPersonRule,
  type ChangeAuthority,
  type MovedBase,
  type PayloadSchema,
  type PersonId,
  type PersonPrincipal,
  type ProposedChange,
  type Result,
  type Tx,
} from '#lib/kernel';
import { seatDocument, type Seats } from '#lib/identity';
import { canonicalJson } from '#lib/canonical';
import { baseDigest, openChange } from '../domain/change-request.js';
import { demandOf, DEPARTED_ADMIN_GRACE_MS } from '../domain/count-confirmers.js';
import { ownChange, secondPersons } from '../domain/decide-confirm.js';
import type { ChangeJournal } from './change-journal.js';
import type { ChangeRequestRepository, ConfirmerDirectory } from './change-request.ports.js';
import { namesOf } from './read-changes.js';

/**
 * Admits a change that only tightens at once. A change that loosens waits for a second person, as a change request that
 * this rule opens. If no second person exists, the rule admits it and says so. It counts the people on locked rows.
 */
export class TwoSeatRule implements TwoPersonRule {
  constructor(
    private readonly changes: ChangeRequestRepository,
    private readonly confirmers: ConfirmerDirectory,
    private readonly seats: Pick<Seats, 'standingOf'>,
    private readonly journal: ChangeJournal,
    private readonly audit: AuditSink,
  ) {}

  async admit(tx: Tx, authority: ChangeAuthority, proposed: ProposedChange): Promise<Result<ChangeAdmission>> {
    if (authority.kind === 'confirmed_change') return admitConfirmed(authority, proposed);
    if (proposed.loosens.length === 0) return ok({ outcome: 'admitted', admitted: tightening(authority) });
    if (tx.rehearsal !== undefined) {
      // A rehearsal never commits. It carries out a change that would wait, so that later changes are checked against it.
      tx.rehearsal.loosens.push(...proposed.loosens);
      return ok({ outcome: 'admitted', admitted: tightening(authority) });
    }
    const { demand, standing, now } = await this.#demand(tx, authority, proposed);
    const authorSeat = seatDocument(standing.get(authority.personId) ?? { sharedWith: [], knownBy: [] });
    if (demand.outcome === 'alone') {
      await this.audit.record(tx, {
        action: 'change.applied_alone',
        actor: actorOf(authority),
        level: 'full_with_evidence',
        subject: { ...proposed.subject },
        payload: {
          kind: proposed.kind,
          what: proposed.what,
          loosens: [...proposed.loosens],
          change: proposed.payload,
          reason: authority.reason ?? proposed.reason ?? null,
          seat: authorSeat,
        },
      });
      return ok({
        outcome: 'admitted',
        admitted: { ...tightening(authority), provenance: { guarded: false }, alone: true },
      });
    }
    const why = authority.reason ?? proposed.reason;
    if (why === undefined) throw new FailureError(reasonMissing(proposed));
    const by = {
      id: newId<ChangeRequestId>(),
      requestedBy: authority.personId,
      credentialId: authority.credentialId,
      why,
    };
    const change = openChange(proposed, by, demand.beneficiaryId, now);
    await this.journal.open(tx, change, actorOf(authority), authorSeat);
    const holders = await this.confirmers.holders(tx, PLATFORM_ADMIN);
    const author = holders.find(({ personId }) => personId === authority.personId) ?? authority;
    return ok({
      outcome: 'waits',
      change,
      requestedByName: author.displayName,
      closedByName: null,
      refusal: ownChange,
      confirmers: namesOf(secondPersons(change, holders, standing)),
    });
  }

  async demandReason(
    tx: Tx,
    by: PersonPrincipal,
    change: Pick<ProposedChange, 'what' | 'loosens' | 'beneficiary'>,
  ): Promise<void> {
    if (by.reason !== undefined) return;
    const { demand } = await this.#demand(tx, by, change);
    if (demand.outcome !== 'alone') throw new FailureError(reasonMissing(change));
  }

  async outdate(
    tx: Tx,
    { actor, provenance }: Pick<AdmittedChange, 'actor' | 'provenance'>,
    { kind, subjectId, why, base: baseOf }: MovedBase,
  ): Promise<void> {
    for (const id of await this.changes.openAbout(tx, kind, subjectId ?? null)) {
      if (id === provenance.change_id) continue;
      const change = (await this.changes.lock(tx, id))?.change;
      if (change?.state !== 'open') continue;
      const base = baseOf(change.payload);
      if (base === undefined || baseDigest({ base, loosens: change.loosens }) === change.baseDigest) continue;
      const reason = `${why} Have it asked for again: it is worked out anew against what stands now.`;
      await this.journal.close(tx, { ...change, state: 'voided', closedAt: await tx.now(), reason }, actor);
    }
  }

  async waiting<Payload>(
    tx: Tx,
    kind: ChangeKind,
    subjectId: string,
    schema: PayloadSchema<Payload>,
  ): Promise<readonly Payload[]> {
    const payloads = await this.changes.waiting(tx, kind, subjectId);
    return payloads.flatMap((stored) => {
      const payload = schema.safeParse(stored);
      return payload.success ? [payload.data] : [];
    });
  }

  /** Counts, on locked rows, the seats that can confirm it. */
  async #demand(tx: Tx, { personId: authorId }: PersonPrincipal, { beneficiary }: Pick<ProposedChange, 'beneficiary'>) {
    const before = await tx.now();
    const possible = await this.confirmers.lockPossible(tx, PLATFORM_ADMIN, before - DEPARTED_ADMIN_GRACE_MS);
    const beneficiaryId = beneficiary ?? null;
    const people = [
      authorId,
      ...possible.map(({ personId }) => personId),
      ...(beneficiaryId === null ? [] : [beneficiaryId]),
    ];
    const standing = await this.seats.standingOf(tx, people);
    const seated = (personId: PersonId) => ({ personId, sharedWith: standing.get(personId)?.sharedWith ?? [] });
    const now = await tx.now();
    const demand = demandOf(
      possible.map((one) => ({ ...one, ...seated(one.personId) })),
      seated(authorId),
      beneficiaryId === null ? null : seated(beneficiaryId),
      now,
    );
    return { demand, standing, now };
  }
}

/** Admits a confirmed change only if payload and base are unchanged; else `change.base_changed`. */
function admitConfirmed(confirmed: ConfirmedChange, proposed: ProposedChange): Result<ChangeAdmission> {
  const same =
    confirmed.changeKind === proposed.kind && canonicalJson(confirmed.payload) === canonicalJson(proposed.payload);
  if (!same) throw new Error(`change ${confirmed.changeId} was carried out as another one`);
  if (baseDigest(proposed) !== confirmed.baseDigest) return err(baseChanged);
  return ok({
    outcome: 'admitted',
    admitted: {
      authorId: confirmed.authorId,
      actor: actorOf(confirmed.confirmedBy),
      provenance: { change_id: confirmed.changeId, requested_by: confirmed.authorId, guarded: true },
      alone: false,
    },
  });
}

/** A confirmer decides on the effect and on the reason. */
const reasonMissing = ({ what, loosens }: Pick<ProposedChange, 'what' | 'loosens'>): Failure => ({
  kind: 'unprocessable',
  code: 'change.reason_missing',
  message: `This loosens a guardrail and waits for a second person, who is told why: ${what}.`,
  action: 'Say why you ask for it: --reason on the command line, the header Countersign-Reason over the API.',
  details: { what, loosens: [...loosens] },
});

/** The refusal of a stored change that the running version cannot read. */
export const payloadOutdated: Failure = {
  kind: 'conflict',
  code: 'change.payload_outdated',
  message: 'Another version of Countersign stored this change, and this version cannot read it; the change is void.',
  action: 'Ask for the change again.',
};

export const baseChanged: Failure = {
  kind: 'conflict',
  code: 'change.base_changed',
  message: 'The settings that this change was based on have changed, so the change is void.',
  action: 'Have it asked for again: it is worked out anew against what stands now.',
};
