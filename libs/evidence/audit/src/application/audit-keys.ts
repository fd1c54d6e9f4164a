import { z } from 'zod';
import {
  done,
  err,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { formatNoteKey } from '#lib/verifier';
import type { AuditKeyHistory, AuditTreeStore, SigningKeyStore } from './audit.ports.js';
import { addKey, isKeyNameOf } from './current-signer.js';

/** A public key of the log; `countersign verify --key` takes `key`. */
export interface PublishedAuditKey {
  readonly name: string;
  /** `<name>+<hash>+<base64>` (C2SP signed-note). */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  /** Epoch milliseconds; null for the one that signs now. */
  readonly validTo: number | null;
}

/**
 * The tenant's audit keys, past ones too, oldest first: old checkpoints stay verifiable after a rotation. Lists only
 * keys of which this installation has the private half, outside the database. The author of a row could hand out a key
 * of their own (T42).
 */
export class ListAuditKeys {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly keys: AuditKeyHistory,
    private readonly keyStore: SigningKeyStore,
  ) {}

  async execute(tenantId: TenantId): Promise<readonly PublishedAuditKey[]> {
    const published: PublishedAuditKey[] = [];
    for (const key of await this.uow.run(tenantId, (tx) => this.keys.list(tx))) {
      if (!isKeyNameOf(tenantId, key.name) || (await this.keyStore.signer(tenantId, key)) === null) continue;
      const { name, validFrom, validTo } = key;
      published.push({ name, key: formatNoteKey(key), validFrom, validTo });
    }
    return published;
  }
}

/**
 * Puts a new key in the place of the one that signs; the old one stays in the history. It waits for a second person: from
 * then on, people who verify packs are to trust another key.
 */
export class RotateAuditKey implements CarriesOutChange {
  readonly payload = z.strictObject({});

  constructor(
    private readonly uow: UnitOfWork,
    private readonly tree: AuditTreeStore,
    private readonly keys: AuditKeyHistory,
    private readonly keyStore: SigningKeyStore,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  /** Fails with `audit.no_key_yet` before the tenant's first entry was signed. */
  execute(by: PersonPrincipal): Promise<Result<Guarded<PublishedAuditKey>>> {
    return this.uow.run(by.tenantId, (tx) => this.#rotate(tx, by));
  }

  carryOut(tx: Tx, change: ConfirmedChange): Promise<Result<Guarded<PublishedAuditKey>>> {
    return this.#rotate(tx, change);
  }

  async #rotate(tx: Tx, authority: ChangeAuthority): Promise<Result<Guarded<PublishedAuditKey>>> {
    await this.tree.lock(tx);
    const now = await tx.now();
    const signing = await this.keys.current(tx);
    if (signing === null) return err(noKeyYet);
    const retired = { name: signing.name, verifier: formatNoteKey(signing) };
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'audit_key',
      subject: { type: 'audit_key', id: signing.name },
      what: `A new signing key of the audit log, in place of ${signing.name}`,
      // Which key signs by then is part of the base: another one makes it another change.
      payload: {},
      base: { signs: signing.name },
      loosens: ['checkpoints are signed with a new key, which nobody who verifies evidence has yet'],
      detail: { in_place_of: retired },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    await this.keys.retire(tx, signing.name, now);
    const key = await addKey(tx, this.keys, this.keyStore, now);
    const published = { name: key.name, key: formatNoteKey(key), validFrom: now, validTo: null };
    await this.twoPersonRule.outdate(tx, admitted, {
      kind: 'audit_key',
      why: `The key ${key.name} signs meanwhile.`,
      base: () => ({ signs: key.name }),
    });
    await this.audit.record(tx, {
      action: 'audit_key.rotated',
      actor: admitted.actor,
      level: 'full_with_evidence',
      subject: { type: 'audit_key', id: key.name },
      payload: { retired, current: { name: key.name, verifier: published.key }, ...admitted.provenance },
    });
    return ok(done(published, admitted));
  }
}

const noKeyYet: Failure = {
  kind: 'conflict',
  code: 'audit.no_key_yet',
  message: 'This tenant has no audit key yet: the first is made when its first entry is signed.',
  action: 'Try again in a second.',
};
