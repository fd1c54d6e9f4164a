import type { z } from 'zod';
import {
  done,
  err,
  newId,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ChangeAuthority,
  type ConfirmedChange,
  type ConnectionId,
  type Guarded,
  type PersonPrincipal,
  type Result,
  type TwoPersonRule,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { addressOf } from '../domain/check-address.js';
import {
  connectionRevision,
  loosenedConnection,
  type Connection,
  type ConnectionKind,
  type KindSettings,
} from '../domain/connection.js';
import type { ConnectionStore, ConnectionWork, MayConnect } from './connection.ports.js';
import { refusedServer } from './refused-server.js';

type Stored<S> = S & { readonly id: string };

/** The parts that change a connection. */
export interface ChangeConnectionParts<S extends KindSettings> {
  readonly connections: ConnectionStore<S>;
  readonly work: Pick<ConnectionWork, 'begin' | 'retryNow'>;
  readonly mayConnect: MayConnect;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/**
 * Names the connection of a tenant, or changes it. Another address or authority loosens, and waits for a second person; its own
 * settings loosen nothing. At another address its token is removed: the former server's token must not reach it. Work that waits after
 * failures goes on at once.
 *
 * Failures: `address_not_allowed` and `authority_invalid` of its family.
 */
export class ChangeConnection<S extends KindSettings> implements CarriesOutChange<Stored<S>> {
  readonly payload: z.ZodType<Stored<S>>;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly kind: ConnectionKind<S>,
    private readonly parts: ChangeConnectionParts<S>,
  ) {
    this.payload = kind.payload;
  }

  /** @param requireCurrent throws if the person read another {@link connectionRevision}, null for none. Called under the lock. */
  async execute(
    by: PersonPrincipal,
    asked: S,
    requireCurrent: (revision: string | null) => void,
  ): Promise<Result<Guarded<Connection<S>>>> {
    const wanted = this.kind.settings.parse({ ...asked, url: addressOf(asked.url) });
    const refused = await this.#refused(by, wanted);
    if (refused !== null) return err(refused);
    return this.uow.run(by.tenantId, async (tx) => {
      const before = await this.#locked(tx);
      requireCurrent(before === null ? null : connectionRevision(this.kind, before));
      return this.#put(tx, by, before, before?.id ?? newId<ConnectionId>(), wanted);
    });
  }

  async carryOut(tx: Tx, change: ConfirmedChange, payload: Stored<S>): Promise<Result<Guarded<Connection<S>>>> {
    // The operator's rules about addresses are checked again.
    const refused = await this.#refused(tx, payload);
    if (refused !== null) return err(refused);
    const before = await this.#locked(tx);
    // The change was stored with the id of its connection.
    const id = before?.id ?? (payload.id as ConnectionId);
    return this.#put(tx, change, before, id, this.kind.settings.parse(payload));
  }

  #refused({ tenantId }: Pick<Tx, 'tenantId'>, wanted: S) {
    return refusedServer(this.parts.mayConnect, tenantId, wanted, this.kind.family);
  }

  async #locked(tx: Tx): Promise<Connection<S> | null> {
    await this.parts.connections.lockForChange(tx);
    return this.parts.connections.find(tx);
  }

  async #put(
    tx: Tx,
    authority: ChangeAuthority,
    before: Connection<S> | null,
    id: ConnectionId,
    wanted: S,
  ): Promise<Result<Guarded<Connection<S>>>> {
    const { connections, work, twoPersonRule, audit } = this.parts;
    const { kind, name, sends, settings, isSame } = this.kind;
    const subject = { type: kind, id };
    const payload = { id, ...wanted };
    const base = before === null ? null : { id: before.id, ...settings.parse(before) };
    const admission = await twoPersonRule.admit(tx, authority, {
      ...{ kind, subject, payload, base },
      what: `The ${name} at ${wanted.url}`,
      loosens: loosenedConnection(sends, before, wanted),
      detail: { before: base, after: payload },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const isAnother = before === null || !isSame(before, wanted);
    await connections.save(tx, {
      ...{ id, settings: wanted, generation: (before?.generation ?? 0) + (isAnother ? 1 : 0) },
      createdBy: before?.createdBy ?? admitted.authorId,
      createdAt: before?.createdAt ?? (await tx.now()),
    });
    // The change may be the fix of its failure, such as another authority.
    await (isAnother ? work.begin(tx, id) : work.retryNow(tx, id));
    await twoPersonRule.outdate(tx, admitted, {
      ...{ kind, subjectId: id, base: () => payload },
      why: `The ${name} at ${before?.url ?? wanted.url} was changed meanwhile.`,
    });
    await audit.record(tx, {
      action: `${kind}.${before === null ? 'added' : 'changed'}`,
      ...{ actor: admitted.actor, level: 'full', subject },
      payload: { ...payload, ...admitted.provenance },
    });
    const saved = await connections.find(tx);
    if (saved === null) throw new Error(`the ${name} was saved, and is not there`);
    return ok(done(saved, admitted));
  }
}
