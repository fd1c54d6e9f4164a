import { err, ok, type Actor, type AuditSink, type Result, type TenantId, type UnitOfWork } from '#lib/kernel';
import { formatNoteKey } from '#lib/verifier';
import type { AuditKeyHistory, AuditTreeStore, SigningKeyStore } from './audit.ports.js';
import { addKey } from './current-signer.js';

/** A key of the log as it is handed out: `key` is what `countersign verify --key` takes. */
export interface PublishedAuditKey {
  readonly name: string;
  /** `<name>+<hash>+<base64>` (C2SP signed-note). */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  /** Epoch milliseconds; null for the one that signs now. */
  readonly validTo: number | null;
}

/** The tenant's audit keys, past ones too, oldest first: old checkpoints stay verifiable after a rotation. */
export class ListAuditKeys {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly keys: AuditKeyHistory,
  ) {}

  async execute(tenantId: TenantId): Promise<readonly PublishedAuditKey[]> {
    const keys = await this.unitOfWork.run(tenantId, (tx) => this.keys.list(tx));
    return keys.map((key) => ({
      name: key.name,
      key: formatNoteKey(key),
      validFrom: key.validFrom,
      validTo: key.validTo,
    }));
  }
}

/** Puts a new key in the place of the one that signs; the old one stays in the history. */
export class RotateAuditKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tree: AuditTreeStore,
    private readonly keys: AuditKeyHistory,
    private readonly keyStore: SigningKeyStore,
    private readonly audit: AuditSink,
  ) {}

  /** Fails with `audit.no_key_yet` before the tenant's first entry was signed. */
  async execute(tenantId: TenantId, actor: Actor): Promise<Result<PublishedAuditKey>> {
    return this.unitOfWork.run(tenantId, async (tx) => {
      await this.tree.lock(tx);
      const now = await tx.now();
      const retired = await this.keys.current(tx);
      if (retired === null) {
        return err({
          kind: 'conflict',
          code: 'audit.no_key_yet',
          message: 'This tenant has no audit key yet: the first is made when its first entry is signed.',
          action: 'Try again in a second.',
        });
      }
      await this.keys.retire(tx, retired.name, now);
      const key = await addKey(tx, this.keys, this.keyStore, now);
      const published = { name: key.name, key: formatNoteKey(key), validFrom: now, validTo: null };
      await this.audit.record(tx, {
        action: 'audit_key.rotated',
        actor,
        level: 'full',
        subject: { type: 'audit_key', id: key.name },
        payload: {
          retired: { name: retired.name, verifier: formatNoteKey(retired) },
          current: { name: key.name, verifier: published.key },
        },
      });
      return ok(published);
    });
  }
}
