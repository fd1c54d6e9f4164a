import { randomBytes } from 'node:crypto';
import { err, fail, FailureError, newId, ok, type Failure, type Result } from '#lib/kernel';
import { WAITING_VALUES } from '../domain/encrypted-values.js';
import { isHeld, type MoveState } from '../domain/move-state.js';
import { carryKeys } from './carry-keys.js';
import { checkSides, checkTenant, type CheckedSides } from './check-move.js';
import { compareCells } from './compare-cells.js';
import * as refusals from './move-refusals.js';
import type { Move, MoveClock, MoveResult } from './move.ports.js';
import { undoMove } from './undo-move.js';

interface MoveSettings {
  /** How long a process may believe that a tenant does not move. */
  readonly unawareMs: number;
  /** How long calls under way are waited for. */
  readonly drainMs: number;
  /** How long the tenant is frozen at most. */
  readonly freezeMs: number;
  /** How long the first copy, and then the rest of the rows, may take. */
  readonly copyMs: number;
  /** How long another command is waited for, which may have been killed just now. */
  readonly lockMs: number;
  readonly lookMs: number;
}

export interface MoveDeps extends CheckedSides {
  readonly clock: MoveClock;
  readonly settings: MoveSettings;
  /** Told of the state that the move has at first, and of each that it reaches. A test interrupts it there. */
  readonly reached: (state: MoveState) => void | Promise<void>;
}

const ignore = (): void => undefined;

/**
 * Moves a tenant from one installation to another (ADR 33). Each step can be repeated, so that an interrupted move goes on where
 * it stands. At every moment one installation serves the tenant at most: the source until the switch, the target afterwards.
 */
export class MoveTenant {
  #epoch: number | null = null;
  /** Of the digests of this command. */
  readonly #salt = randomBytes(32);

  constructor(private readonly deps: MoveDeps) {}

  /** Begins the move of the tenant, or goes on with the one that is under way. */
  async execute(slug: string): Promise<Result<MoveResult>> {
    const { source, reached } = this.deps;
    const able = await checkSides(this.deps, newId());
    if (able !== null) return err(able);
    await this.#lock(slug);
    let move = await source.liveMove(slug);
    const tenantId = move?.tenantId ?? (await source.tenantBySlug(slug));
    if (tenantId === null) return err(refusals.unknownTenant);
    if (move?.state !== 'switched' && move?.state !== 'done') {
      const ready = await checkTenant(this.deps, { tenantId, slug, begun: move });
      if (ready !== null) return err(ready);
    }
    if (move === null) {
      await source.insertMove({ tenantId, id: newId(), slug }, 'copying');
      move = await source.liveMove(slug);
      if (move === null) throw new Error('The move that has just begun is not there.');
    }
    await reached(move.state);
    while (move.state !== 'done') {
      move = await this.#bounded(move, slug);
      await reached(move.state);
    }
    return ok({ tenantId, state: 'done', epoch: this.#epoch });
  }

  /** Lets the source serve again, and takes everything back that the target has. */
  async undo(slug: string): Promise<Result<MoveResult>> {
    await this.#lock(slug);
    const undone = await undoMove(this.deps, slug);
    if (undone.ok) await this.deps.reached('undone');
    return undone;
  }

  async #lock(slug: string): Promise<void> {
    const { source, target, settings } = this.deps;
    for (const cell of [source, target])
      await this.#until(() => cell.lock(slug), settings.lockMs, refusals.otherCommand);
  }

  /**
   * A step that fails while the tenant is held lets it go at once. The database would only do so at the end of the time
   * limit.
   */
  async #bounded(move: Move, slug: string): Promise<Move> {
    try {
      return await this.#step(move, slug);
    } catch (error) {
      if (!isHeld(move.state)) throw error;
      const hadGone = await this.#letGo(move);
      // A tenant that works writes: rows that differ then say nothing about the target.
      throw hadGone && isFailure(error, 'tenant_move.different')
        ? new FailureError(refusals.heldTooLong, { cause: error })
        : error;
    }
  }

  /**
   * The log may say that the tenant leaves. A failure here hides no reason of the step.
   *
   * @returns whether the database had let it go by itself.
   */
  async #letGo(move: Move): Promise<boolean> {
    const { source, log } = this.deps;
    try {
      const hadGone = await source.advance(move, 'expire').then(
        () => false,
        (error: unknown) => {
          if (isFailure(error, refusals.heldTooLong.code)) return true;
          throw error;
        },
      );
      if (move.state !== 'draining') await log.stay(move.tenantId, move.id).catch(ignore);
      return hadGone;
    } catch {
      return false;
    }
  }

  #step(move: Move, slug: string): Promise<Move> {
    switch (move.state) {
      case 'copying':
        return this.#copy(move, slug);
      case 'caught_up':
        return this.#readAhead(move);
      case 'draining':
        return this.#drain(move);
      case 'frozen':
        return this.#compare(move);
      case 'compared':
        return this.#switch(move, slug);
      case 'switched':
        return this.#arrive(move, slug);
      case 'arriving':
      case 'arrived':
        return Promise.resolve(fail(refusals.movesHere));
      case 'done':
      case 'undone':
      case 'forgotten':
        return Promise.resolve(move);
    }
  }

  async #copy(move: Move, slug: string): Promise<Move> {
    const { source, target, settings } = this.deps;
    if ((await target.liveMove(slug)) === null) {
      // Before the first row: the workers there leave the tenant alone.
      await target.insertMove({ tenantId: move.tenantId, id: move.id, slug }, 'arriving');
      await this.deps.clock.sleep(settings.unawareMs);
    }
    await target.addBundles(await source.bundles(move.tenantId));
    if ((await target.following(move)) === 'no') {
      await target.unfollow(move);
      await source.publish(move, await target.prepare(move, await source.address(move)));
      await target.follow(move);
    }
    await this.#until(async () => (await target.following(move)) === 'yes', settings.copyMs, refusals.copyTooSlow);
    await this.#caughtUp(move, settings.copyMs, refusals.copyTooSlow);
    return source.advance(move, 'catch_up');
  }

  /** Most rows of a tenant never change again. They are read before the tenant is held, on both sides at once. */
  async #readAhead(move: Move): Promise<Move> {
    const { source, target, settings } = this.deps;
    await Promise.all([source, target].map((cell) => cell.digestAhead(move.tenantId, this.#salt)));
    return source.advance(move, 'drain', { heldMs: 2 * settings.drainMs });
  }

  /**
   * Until every process knows of it, calls begin as ever, and record their answers. After that none begins, so none is
   * under way when the tenant freezes. A frozen tenant would refuse its record, and the unfrozen tenant would wait for
   * its lease.
   */
  async #drain(move: Move): Promise<Move> {
    const { source, settings, clock } = this.deps;
    await clock.sleep(settings.unawareMs);
    await this.#until(
      async () => (await source.callsUnderWay(move.tenantId)) === 0,
      settings.drainMs,
      refusals.callsUnderWay,
    );
    return source.advance(move, 'freeze', { heldMs: settings.freezeMs });
  }

  /** Nothing of the tenant changes on the source any more once this has waited. The target follows on, in case it is let go. */
  async #compare(move: Move): Promise<Move> {
    const { source, target, settings, clock, log } = this.deps;
    await clock.sleep(settings.unawareMs);
    if (!(await source.earlierTransactionsOver(settings.freezeMs))) return fail(refusals.transactionsOpen);
    if ((await source.requestsWithSecrets(move.tenantId)) > 0) return fail(refusals.changeRequestsOpen(WAITING_VALUES));
    // A call may have left between the last look and the freeze.
    if ((await source.callsUnderWay(move.tenantId)) > 0)
      return source.advance(move, 'unfreeze', { heldMs: 2 * settings.drainMs });
    await log.end(move.tenantId, move.id);
    // Decisions may have been taken by newer policies since the copy began.
    await target.addBundles(await source.bundles(move.tenantId));
    await this.#caughtUp(move, settings.freezeMs, refusals.heldTooLong);
    await carryKeys(this.deps, move.tenantId);
    return source.advance(move, 'compare', { closedEpoch: await compareCells(this.deps, move.tenantId, this.#salt) });
  }

  /** The last moment at which anything that is wrong costs nothing. */
  async #switch(move: Move, slug: string): Promise<Move> {
    const { deps } = this;
    const wrong =
      (await checkSides(deps, move.id)) ?? (await checkTenant(deps, { tenantId: move.tenantId, slug, begun: move }));
    return wrong === null ? deps.source.advance(move, 'switch') : fail(wrong);
  }

  async #arrive(move: Move, slug: string): Promise<Move> {
    const { source, target, receiver, map } = this.deps;
    const { tenantId, id, closedEpoch } = move;
    const there = await target.liveMove(slug);
    if (there !== null) {
      await target.unfollow(move);
      await target.raiseNumbers(tenantId);
      const reason = `The tenant moved here from another installation, where epoch ${String(closedEpoch ?? 0)} ended (move ${id}).`;
      this.#epoch = await receiver.startEpoch({ tenantId, moveId: id, closed: closedEpoch ?? 0, reason });
      await target.advance(there, 'arrive');
    }
    if (map !== null) await map.cells.switch(tenantId, map.cell);
    await source.unpublish(move);
    return source.advance(move, 'finish');
  }

  async #caughtUp(move: Move, withinMs: number, otherwise: Failure): Promise<void> {
    const { source } = this.deps;
    const position = await source.position();
    await this.#until(() => source.followedUpTo(move, position), withinMs, otherwise);
  }

  async #until(there: () => Promise<boolean>, withinMs: number, otherwise: Failure): Promise<void> {
    const { clock, settings } = this.deps;
    const deadline = clock.now() + withinMs;
    while (!(await there())) {
      if (clock.now() > deadline) fail(otherwise);
      await clock.sleep(settings.lookMs);
    }
  }
}

const isFailure = (error: unknown, code: string): boolean =>
  error instanceof FailureError && error.failure.code === code;
