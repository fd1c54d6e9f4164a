import { z } from 'zod';
import {
  done,
  ok,
  type Actor,
  type AuditSink,
  type CarriesOutChange,
  type AdmittedChange,
  type ConfirmedChange,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { originOf } from '#lib/verifier';
import type { AuditTreeStore, PublishedCheckpoints, CheckpointStore } from './audit.ports.js';

/** Another effect of a restore: grants refused, live runs to `unknown`. Its owner does it in the same transaction. */
export type EpochEffect = (tx: Tx, epoch: number) => Promise<void>;

export interface StartEpochCommand {
  /** The reason in words: the backup, and the person who decided to restore it. */
  readonly reason: string;
  /** The last checkpoint that stands outside, as the operator holds it; null if there is none. */
  readonly lastPublished: string | null;
}

/** The operator holds database and keyring. */
const OPERATOR: Actor = {
  kind: 'system',
  id: 'operator',
  display_name: 'operator',
  credential_id: null,
  on_behalf_of: null,
};

/**
 * Starts a new tree after a restore from a backup. The old tree ends with the backup: its larger checkpoints outside
 * stay as the evidence of the loss. The new tree cannot be taken for the old one, since the epoch is part of every
 * checkpoint's origin. The entry about the restore is sequenced first, after the waiting ones.
 *
 * If an admin asks for it, a second person must confirm. It voids approvals of others, and checkpoints kept outside say
 * nothing of the new tree. The operator needs no second person, since a restored installation may have none yet.
 */
export class StartEpoch implements CarriesOutChange<StoredCommand> {
  readonly payload = storedCommand;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly tree: AuditTreeStore,
    private readonly checkpoints: CheckpointStore,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
    private readonly effects: readonly EpochEffect[],
  ) {}

  /** The new epoch, or the change request. */
  execute(by: PersonPrincipal, command: StartEpochCommand): Promise<Result<Guarded<number>>> {
    return this.uow.run(by.tenantId, (tx) => this.#ask(tx, by, command));
  }

  carryOut(tx: Tx, change: ConfirmedChange, stored: StoredCommand): Promise<Result<Guarded<number>>> {
    return this.#ask(tx, change, { reason: stored.reason, lastPublished: stored.last_published });
  }

  /**
   * On the server, by its operator.
   *
   * @param destinations the checkpoints outside: an epoch that stands there is lost, and its number is not given again.
   * @throws if a destination can't be reached.
   */
  async executeAsOperator(
    tenantId: TenantId,
    command: StartEpochCommand,
    destinations: readonly PublishedCheckpoints[] = [],
  ): Promise<number> {
    const ends = await this.uow.run(tenantId, async (tx) => (await this.tree.head(tx))?.epoch ?? 0);
    const free = await freeEpoch(tenantId, ends + 1, destinations);
    return this.uow.run(tenantId, async (tx) => {
      await this.tree.lock(tx);
      return this.#start(tx, command, { actor: OPERATOR, provenance: {} }, free);
    });
  }

  async #ask(tx: Tx, authority: ChangeAuthority, command: StartEpochCommand): Promise<Result<Guarded<number>>> {
    await this.tree.lock(tx);
    const ends = (await this.tree.head(tx))?.epoch ?? 0;
    const stored: StoredCommand = { reason: command.reason, last_published: command.lastPublished };
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'audit_epoch',
      subject: { type: 'audit_epoch', id: String(ends + 1) },
      what: `Epoch ${String(ends + 1)} of the audit log, as after a restore from a backup`,
      payload: { ...stored },
      // The tree grows while the change waits, so that its size is not part of the confirmed change.
      base: { epoch: ends },
      loosens: [
        `epoch ${String(ends)} of the audit log ends: checkpoints kept outside say nothing of what follows`,
        'each earlier grant and approval is refused, each run and automation is paused, and each execution of a hook ends',
      ],
      reason: command.reason,
      detail: { epoch: ends + 1, ...stored },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    return ok(done(await this.#start(tx, command, admitted), admitted));
  }

  async #start(
    tx: Tx,
    { reason, lastPublished }: StartEpochCommand,
    by: Pick<AdmittedChange, 'actor' | 'provenance'>,
    free = 1,
  ): Promise<number> {
    const { actor, provenance } = by;
    const before = await this.tree.head(tx);
    const last = before === null ? null : await this.checkpoints.latest(tx, before.epoch);
    const epoch = Math.max((before?.epoch ?? 0) + 1, free);
    await this.tree.startEpoch(tx, epoch, await tx.now(), reason);
    for (const effect of this.effects) await effect(tx, epoch);
    await this.twoPersonRule.outdate(tx, by, {
      kind: 'audit_epoch',
      why: `Epoch ${String(epoch)} was started meanwhile.`,
      base: () => ({ epoch }),
    });
    await this.audit.record(tx, {
      action: 'audit_epoch.started',
      actor,
      level: 'critical',
      subject: { type: 'audit_epoch', id: String(epoch) },
      payload: {
        epoch,
        reason,
        restored_checkpoint: last?.note ?? null,
        last_published_checkpoint: lastPublished,
        ...provenance,
      },
    });
    return epoch;
  }
}

/** The first epoch, from this one on, of which no destination has a checkpoint. */
async function freeEpoch(
  tenantId: TenantId,
  from: number,
  destinations: readonly PublishedCheckpoints[],
): Promise<number> {
  for (let epoch = from; ; epoch += 1) {
    const held = await Promise.all(destinations.map((destination) => destination.held(originOf(tenantId, epoch))));
    if (held.every((note) => note === null)) return epoch;
  }
}

const storedCommand = z.strictObject({ reason: z.string(), last_published: z.string().nullable() });
type StoredCommand = z.infer<typeof storedCommand>;
