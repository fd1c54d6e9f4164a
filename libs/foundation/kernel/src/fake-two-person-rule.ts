import { type Json, canonicalJson } from '#lib/canonical';
import type {
  ChangeAdmission,
  ChangeAuthority,
  ChangeKind,
  ConfirmedChange,
  MovedBase,
  PayloadSchema,
  ProposedChange,
  TwoPersonRule,
  OpenedChangeRequest,
} from './change-request.js';
import { tightening } from './change-request.js';
import { digestOf, type Digest } from './digest.js';
import { FailureError } from './failure.js';
import { FakeTable, type FakeUnitOfWork } from './fake-unit-of-work.js';
import { type ChangeRequestId, newId, type PersonId } from './ids.js';
import { actorOf, type PersonPrincipal } from './principal.js';
import { err, ok, type Result } from './result.js';
import type { Tx } from './unit-of-work.js';

type Base = Pick<ProposedChange, 'base' | 'loosens'>;

const baseDigestOf = ({ base, loosens }: Base): Digest => digestOf('change-base', { base, loosens: [...loosens] });

/** The authority of a change that a second person confirmed. */
export const sampleConfirmation = (
  { kind, payload, ...base }: Pick<ProposedChange, 'kind' | 'payload'> & Base,
  author: PersonPrincipal,
  confirmedBy: PersonPrincipal,
): ConfirmedChange =>
  ({
    kind: 'confirmed_change',
    changeId: newId<ChangeRequestId>(),
    changeKind: kind,
    payload,
    baseDigest: baseDigestOf(base),
    authorId: author.personId,
    confirmedBy,
    // No test makes a brand: the product's own rule is its only maker.
  }) as unknown as ConfirmedChange;

/** The two-person rule of a tenant that has a second admin, or none. Keeps change requests, and each base that moved. */
export class FakeTwoPersonRule implements TwoPersonRule {
  readonly #waiting: FakeTable<ProposedChange>;
  readonly #moved: FakeTable<MovedBase>;

  /** @param secondAdmin whether a person could confirm a loosening: then it waits. */
  constructor(
    database: FakeUnitOfWork,
    public secondAdmin = false,
  ) {
    this.#waiting = new FakeTable(database);
    this.#moved = new FakeTable(database);
  }

  async admit(tx: Tx, authority: ChangeAuthority, proposed: ProposedChange): Promise<Result<ChangeAdmission>> {
    if (authority.kind === 'confirmed_change') return admitConfirmed(authority, proposed);
    const admitted = tightening(authority);
    if (proposed.loosens.length === 0) return ok({ outcome: 'admitted', admitted });
    if (!this.secondAdmin)
      return ok({ outcome: 'admitted', admitted: { ...admitted, provenance: { guarded: false }, alone: true } });
    await this.demandReason(tx, authority, proposed);
    const waiting = waitingFor(authority, proposed);
    this.#waiting.of(tx).set(waiting.change.id, proposed);
    return ok(waiting);
  }

  demandReason(_tx: Tx, by: PersonPrincipal, change: Partial<ProposedChange>): Promise<void> {
    if (!this.secondAdmin || (by.reason ?? change.reason) !== undefined) return Promise.resolve();
    const message = 'A second person is told why.';
    return Promise.reject(new FailureError({ kind: 'unprocessable', code: 'change.reason_missing', message }));
  }

  waiting<Payload>(
    tx: Tx,
    kind: ChangeKind,
    subjectId: string,
    schema: PayloadSchema<Payload>,
  ): Promise<readonly Payload[]> {
    const about = this.waitingIn(tx).filter((change) => change.kind === kind && change.subject.id === subjectId);
    return Promise.resolve(
      about.flatMap(({ payload }) => {
        const read = schema.safeParse(payload);
        return read.success ? [read.data] : [];
      }),
    );
  }

  outdate(tx: Tx, by: { readonly provenance: { readonly change_id?: string } }, moved: MovedBase): Promise<void> {
    this.#moved.of(tx).set(newId(), moved);
    for (const [id, change] of [...this.#waiting.of(tx)]) {
      if (id === by.provenance.change_id || change.kind !== moved.kind) continue;
      if (moved.subjectId !== undefined && moved.subjectId !== change.subject.id) continue;
      const base = moved.base(change.payload);
      if (base !== undefined && !same(base, change.base)) this.#waiting.of(tx).delete(id);
    }
    return Promise.resolve();
  }

  /** The changes of a tenant that wait for a second person. */
  waitingIn(tx: Pick<Tx, 'tenantId'>): readonly ProposedChange[] {
    return [...this.#waiting.of(tx).values()];
  }

  /** The bases of a tenant that moved, in order. */
  movedIn(tx: Pick<Tx, 'tenantId'>): readonly MovedBase[] {
    return [...this.#moved.of(tx).values()];
  }
}

function waitingFor(
  { personId: requestedBy, displayName, credentialId, ...by }: PersonPrincipal,
  { kind, subject, what, payload, loosens, detail, base, reason = '' }: ProposedChange,
): OpenedChangeRequest {
  const id = newId<ChangeRequestId>();
  const baseDigest = baseDigestOf({ base, loosens });
  return {
    outcome: 'waits',
    change: {
      ...{ state: 'open', id, kind, subject, what, payload, loosens, detail, requestedBy, credentialId, baseDigest },
      ...{ changeDigest: digestOf('change-request', { id }), why: by.reason ?? reason, requiredRole: 'PlatformAdmin' },
      ...{ beneficiaryId: null, openedAt: 0, expiresAt: 1 },
    },
    requestedByName: displayName,
    closedByName: null,
    refusal: { kind: 'forbidden', code: 'change.own', message: 'You asked for this change.' },
    confirmers: [{ id: newId<PersonId>(), displayName: 'Its confirmer' }],
  };
}

function admitConfirmed(confirmed: ConfirmedChange, proposed: ProposedChange): Result<ChangeAdmission> {
  if (confirmed.changeKind !== proposed.kind || !same(confirmed.payload, proposed.payload))
    throw new Error('A confirmed change was carried out as another one.');
  if (confirmed.baseDigest !== baseDigestOf(proposed))
    return err({ kind: 'conflict', code: 'change.base_changed', message: 'The base of this change has changed.' });
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

const same = (one: Json, other: Json): boolean => canonicalJson(one) === canonicalJson(other);
