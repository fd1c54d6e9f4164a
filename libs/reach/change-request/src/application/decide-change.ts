import {
  actorOf,
  err,
  FailureError,
  notFound,
  ok,
  type CarriesOutChange,
  type ChangeKind,
  type ChangeRequestId,
  type ConfirmedChange,
  type Digest,
  type Failure,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { JsonObject } from '#lib/canonical';
import {
  endedMeanwhile,
  takeRequiredProof,
  type CredentialRepository,
  type MfaProofs,
  type SteppedUpOperation,
  seatDocument,
  type Seats,
  type Standing,
} from '#lib/identity';
import type { ChangeRequest, ClosedChange, OpenChange } from '../domain/change-request.js';
import {
  changeClosed,
  decideConfirm,
  decideOpen,
  decideSecondPerson,
  type Confirmer,
} from '../domain/decide-confirm.js';
import { noteCarriedChange } from './carried-change.js';
import { changeEvidence, type ChangeJournal } from './change-journal.js';
import type {
  ChangeRequestRepository,
  ConfirmerDirectory,
  NamedChange,
  NamedConfirmer,
} from './change-request.ports.js';
import type { ChangeSeen } from './read-changes.js';
import { baseChanged, payloadOutdated } from './two-person-rule.js';

interface ConfirmChangeDeps {
  readonly uow: UnitOfWork;
  readonly changes: ChangeRequestRepository;
  readonly confirmers: ConfirmerDirectory;
  readonly seats: Pick<Seats, 'standingOf'>;
  readonly proofs: MfaProofs;
  readonly journal: ChangeJournal;
  readonly carriers: Readonly<Record<ChangeKind, CarriesOutChange>>;
  readonly credentials: Pick<CredentialRepository, 'stillGood'>;
}

/**
 * A second person confirms a change. The use case that proposed it carries it out in the same transaction.
 *
 * Failures: `resource.not_found`, `credential.ended`, `change.closed`, `change.expired`, `change.own`,
 * `change.beneficiary`, `change.same_hand`, `change.role_required`, `change.role_too_new`, `change.other_digest`,
 * `mfa.not_enrolled`, `mfa.required` and those of {@link MfaProofs.take}. `change.base_changed` and
 * `change.payload_outdated` void the change. Those of the use case leave the change open and give the proof back.
 */
export class ConfirmChange {
  constructor(private readonly deps: ConfirmChangeDeps) {}

  execute(
    by: PersonPrincipal,
    id: ChangeRequestId,
    given: { readonly changeDigest: Digest; readonly stepUpId: string | undefined },
  ): Promise<Result<ChangeSeen>> {
    return this.deps.uow.run(by.tenantId, async (tx) => {
      const locked = await this.deps.changes.lock(tx, id);
      if (locked === null) return err(notFound('change'));
      const { change, requestedByName } = locked;
      const confirmer = await this.deps.confirmers.lockConfirmer(tx, by.personId);
      if (confirmer === null) return err(notFound('change'));
      // Asked after the wait for the locks, in which somebody may have revoked it.
      if (!(await this.deps.credentials.stillGood(tx, by.personId, by.credentialId))) return err(endedMeanwhile);
      const now = await tx.now();
      const votes = await votesOn(this.deps.seats, tx, change, by.personId);
      const open = decideConfirm(change, confirmer, given.changeDigest, now, votes);
      if (!open.ok) return open;
      return this.#confirm(tx, { by, confirmer, votes }, { change: open.value, requestedByName }, given.stepUpId);
    });
  }

  async #confirm(
    tx: Tx,
    {
      by,
      confirmer,
      votes,
    }: { readonly by: PersonPrincipal; readonly confirmer: NamedConfirmer; readonly votes: Standings },
    { change, requestedByName }: Pick<NamedChange, 'requestedByName'> & { readonly change: OpenChange },
    stepUpId: string | undefined,
  ): Promise<Result<ChangeSeen>> {
    const carrier = this.deps.carriers[change.kind];
    const payload = carrier.payload.safeParse(change.payload);
    if (!payload.success) return this.#void(tx, by, change, payloadOutdated);
    const operation: SteppedUpOperation = {
      kind: 'change_confirm',
      change_id: change.id,
      change_digest: change.changeDigest,
    };
    const wanted = { personId: by.personId, stepUpId, operation };
    const proof = await takeRequiredProof(this.deps.proofs, tx, wanted, 'Confirming a change that loosens');
    if (!proof.ok) return proof;
    noteCarriedChange(tx, changeEvidence(change));
    const carried = await carrier.carryOut(tx, confirmedChange(change, by), payload.data);
    if (carried.ok) {
      const { evidence, ...mfa } = proof.value;
      const applied = { ...change, state: 'applied', closedAt: await tx.now(), closedBy: by.personId, mfa } as const;
      const standing = { roles: rolesOf(confirmer), seats: seatsOf(votes) };
      await this.deps.journal.close(tx, applied, actorOf(by), standing, evidence);
      return ok(seenAfter(applied, requestedByName, confirmer.displayName));
    }
    // The throw rolls everything back: the change stays open, and the proof is good for another attempt.
    if (carried.error.code !== baseChanged.code) throw new FailureError(carried.error);
    return this.#void(tx, by, change, carried.error);
  }

  async #void(tx: Tx, by: PersonPrincipal, change: OpenChange, why: Failure): Promise<Result<never>> {
    await this.deps.journal.close(
      tx,
      { ...change, state: 'voided', closedAt: await tx.now(), reason: why.message },
      actorOf(by),
    );
    return err(why);
  }
}

/** A second person rejects a change. A rejection tightens, so it needs no second factor. */
export class RejectChange {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly changes: ChangeRequestRepository,
    private readonly confirmers: ConfirmerDirectory,
    private readonly seats: Pick<Seats, 'standingOf'>,
    private readonly journal: ChangeJournal,
    private readonly credentials: Pick<CredentialRepository, 'stillGood'>,
  ) {}

  /** Failures: as of {@link ConfirmChange}, without those of the second factor. */
  execute(by: PersonPrincipal, id: ChangeRequestId, comment: string): Promise<Result<ChangeSeen>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const locked = await this.changes.lock(tx, id);
      const confirmer = await this.confirmers.lockConfirmer(tx, by.personId);
      if (locked === null || confirmer === null) return err(notFound('change'));
      if (!(await this.credentials.stillGood(tx, by.personId, by.credentialId))) return err(endedMeanwhile);
      const now = await tx.now();
      const open = decideOpen(locked.change, now);
      if (!open.ok) return open;
      const votes = await votesOn(this.seats, tx, open.value, by.personId);
      const second = decideSecondPerson(open.value, confirmer, votes);
      if (!second.ok) return second;
      const end = { state: 'rejected', closedAt: now, closedBy: by.personId, reason: comment } as const;
      const rejected = { ...open.value, ...end };
      await this.journal.close(tx, rejected, actorOf(by), { roles: rolesOf(confirmer), seats: seatsOf(votes) });
      return ok(seenAfter(rejected, locked.requestedByName, confirmer.displayName));
    });
  }
}

/** The author takes a change back. */
export class WithdrawChange {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly changes: ChangeRequestRepository,
    private readonly journal: ChangeJournal,
    private readonly credentials: Pick<CredentialRepository, 'stillGood'>,
  ) {}

  /** Failures: `resource.not_found`, `credential.ended`, `change.closed`, `change.expired`, `change.not_own`. */
  execute(by: PersonPrincipal, id: ChangeRequestId): Promise<Result<ChangeSeen>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const locked = await this.changes.lock(tx, id);
      if (locked === null) return err(notFound('change'));
      if (!(await this.credentials.stillGood(tx, by.personId, by.credentialId))) return err(endedMeanwhile);
      const now = await tx.now();
      const { change, requestedByName } = locked;
      const open = decideOpen(change, now);
      if (!open.ok) return open;
      if (change.requestedBy !== by.personId) return err(notOwn);
      const withdrawn = { ...open.value, state: 'withdrawn', closedAt: now, closedBy: by.personId } as const;
      await this.journal.close(tx, withdrawn, actorOf(by));
      return ok(seenAfter(withdrawn, requestedByName, requestedByName));
    });
  }
}

/** A change that ended, as everybody sees it. */
const seenAfter = (change: ClosedChange, requestedByName: string, closedByName: string): ChangeSeen => ({
  ...{ change, requestedByName, closedByName },
  refusal: changeClosed(change.state),
  confirmers: [],
});

type Standings = ReadonlyMap<PersonId, Standing>;

/** The seats of the people in a change. A vote of their own that they got after it was opened does not count. */
const votesOn = (
  seats: Pick<Seats, 'standingOf'>,
  tx: Tx,
  { requestedBy, beneficiaryId, openedAt }: ChangeRequest,
  confirmerId: PersonId,
): Promise<Standings> =>
  seats.standingOf(tx, [confirmerId, requestedBy, ...(beneficiaryId === null ? [] : [beneficiaryId])], openedAt);

const seatsOf = (votes: Standings): JsonObject =>
  Object.fromEntries([...votes.values()].map((standing) => [standing.personId, seatDocument(standing)]));

const rolesOf = ({ roles }: Confirmer): string[] => roles.map(({ role }) => role);

/** The one place that makes this authority. */
const confirmedChange = (change: ChangeRequest, by: PersonPrincipal): ConfirmedChange =>
  ({
    kind: 'confirmed_change',
    changeId: change.id,
    changeKind: change.kind,
    payload: change.payload,
    baseDigest: change.baseDigest,
    authorId: change.requestedBy,
    confirmedBy: by,
  }) as ConfirmedChange;

const notOwn: Failure = {
  kind: 'forbidden',
  code: 'change.not_own',
  message: 'Somebody else asked for this change.',
  action: 'Reject it instead.',
};
