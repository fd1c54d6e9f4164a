import { err, fail, newId, ok, type Failure, type Result, type TenantId } from '#lib/kernel';
import { canBeUndone, type MoveState } from '../domain/move-state.js';
import { WAITING_VALUES } from '../domain/encrypted-values.js';
import { carryKeys } from './carry-keys.js';
import { compareCells } from './compare-cells.js';
import * as refusals from './move-refusals.js';
import type { CellMap, Move, MoveClock, MoveSides, SourceLog } from './move.ports.js';

interface MoveSettings {
  /** How long a process may believe that a tenant does not move. */
  readonly unawareMs: number;
  /** How long calls under way are waited for. */
  readonly drainMs: number;
  /** How long the first copy, and then the rest of the rows, may take. */
  readonly copyMs: number;
  readonly lookMs: number;
}

interface MoveDeps extends MoveSides {
  readonly log: SourceLog;
  /** The router's map, and the name of the target there; null without a router. */
  readonly map: { readonly cells: CellMap; readonly cell: string } | null;
  readonly clock: MoveClock;
  readonly settings: MoveSettings;
  /** Told of each state that the move reaches. A test interrupts it there. */
  readonly reached: (state: MoveState) => void | Promise<void>;
}

export interface MoveResult {
  readonly tenantId: TenantId;
  readonly state: 'done' | 'undone';
  /** The epoch of the audit log that the target began; null if the move was undone. */
  readonly epoch: number | null;
}

/**
 * Moves a tenant from one installation to another (ADR 33). Each step can be repeated, so that an interrupted move goes on where
 * it stands. At every moment one installation serves the tenant at most: the source until the switch, the target afterwards.
 */
export class MoveTenant {
  #epoch: number | null = null;

  constructor(private readonly deps: MoveDeps) {}

  /** Begins the move of the tenant, or goes on with the one that is under way. */
  async execute(slug: string): Promise<Result<MoveResult>> {
    const { source, reached } = this.deps;
    const ready = await this.#check();
    if (ready !== null) return err(ready);
    let move = await source.liveMove(slug);
    if (move === null) {
      const tenantId = await source.tenantBySlug(slug);
      if (tenantId === null) return err(refusals.unknownTenant);
      const id = newId();
      await source.insertMove({ tenantId, id, slug }, 'copying');
      move = await source.liveMove(slug);
      if (move === null) throw new Error('The move that has just begun is not there.');
      await reached('copying');
    }
    while (move.state !== 'done') {
      move = await this.#step(move, slug);
      await reached(move.state);
    }
    return ok({ tenantId: move.tenantId, state: 'done', epoch: this.#epoch });
  }

  /** Lets the source serve again, and takes everything back that the target has. */
  async undo(slug: string): Promise<Result<MoveResult>> {
    const { source, target } = this.deps;
    const here = await source.liveMove(slug);
    const there = await target.liveMove(slug);
    if (here !== null && !canBeUndone(here.state)) return err(refusals.tooLate);
    if (here === null && there?.state !== 'arriving') return err(refusals.nothingToUndo);
    // The source first, so that it serves again whatever happens to the target. Its login stays until nobody follows it.
    if (here !== null) await source.advance(here, 'undo');
    if (there?.state === 'arriving') {
      await target.unfollow(there);
      await target.clear(there.tenantId);
      await target.advance(there, 'undo');
    }
    if (here !== null) await source.unpublish(here);
    const tenantId = here?.tenantId ?? there?.tenantId ?? fail(refusals.nothingToUndo);
    await this.deps.reached('undone');
    return ok({ tenantId, state: 'undone', epoch: null });
  }

  #step(move: Move, slug: string): Promise<Move> {
    const { source } = this.deps;
    switch (move.state) {
      case 'copying':
        return this.#copy(move, slug);
      case 'caught_up':
        return source.advance(move, 'drain');
      case 'draining':
        return this.#drain(move);
      case 'frozen':
        return this.#compare(move);
      case 'compared':
        return source.advance(move, 'switch');
      case 'switched':
        return this.#arrive(move, slug);
      case 'arriving':
      case 'arrived':
        return Promise.resolve(fail(refusals.movesHere));
      case 'done':
      case 'undone':
        return Promise.resolve(move);
    }
  }

  /** Whether both sides can take part, before anything is written. */
  async #check(): Promise<Failure | null> {
    const { source, target, receiver } = this.deps;
    const [here, there] = [await source.identity(), await target.identity()];
    if (here === there) return refusals.sameInstallation;
    if ((await receiver.identity()) !== there) return refusals.otherReceiver;
    const missing = [
      ...(await source.missingRights()).map((right) => `on the source: ${right}`),
      ...(await target.missingRights()).map((right) => `on the target: ${right}`),
    ];
    if (missing.length > 0) return refusals.missingRights(missing);
    const [ours, theirs] = [await source.schema(), await target.schema()];
    const different = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
      (name) => ours.get(name) !== theirs.get(name),
    );
    return different.length > 0 ? refusals.schemasDiffer(different) : null;
  }

  async #copy(move: Move, slug: string): Promise<Move> {
    const { source, target, settings } = this.deps;
    if ((await source.waitingChanges(move.tenantId)) > 0) return fail(refusals.changesWait(WAITING_VALUES));
    const there = await target.liveMove(slug);
    if (there !== null && there.id !== move.id) return fail(refusals.otherMove);
    if (there === null) {
      if ((await target.tenantBySlug(slug)) !== null) return fail(refusals.slugTaken);
      // Before the first row: the workers there leave the tenant alone.
      await target.insertMove({ tenantId: move.tenantId, id: move.id, slug }, 'arriving');
      await this.deps.clock.sleep(settings.unawareMs);
    }
    await target.addBundles(await source.bundles(move.tenantId));
    if ((await target.following(move)) === 'no') await target.follow(move, await source.publish(move));
    await this.#until(async () => (await target.following(move)) === 'yes', settings.copyMs, refusals.copyTooSlow);
    await this.#caughtUp(move);
    return source.advance(move, 'catch_up');
  }

  async #drain(move: Move): Promise<Move> {
    const { source, settings } = this.deps;
    await this.#until(
      async () => (await source.callsUnderWay(move.tenantId)) === 0,
      settings.drainMs,
      refusals.callsUnderWay,
    );
    return source.advance(move, 'freeze');
  }

  /** Nothing of the tenant changes on the source any more once this has waited. */
  async #compare(move: Move): Promise<Move> {
    const { source, target, settings, clock, log } = this.deps;
    await clock.sleep(settings.unawareMs);
    await source.earlierTransactionsOver();
    if ((await source.waitingChanges(move.tenantId)) > 0) return fail(refusals.changesWait(WAITING_VALUES));
    // A call may have left between the last look and the freeze.
    if ((await source.callsUnderWay(move.tenantId)) > 0) return source.advance(move, 'thaw');
    await log.sequenceAll(move.tenantId, move.id);
    // Decisions may have been taken by newer policies since the copy began.
    await target.addBundles(await source.bundles(move.tenantId));
    if ((await target.following(move)) !== 'no') {
      await this.#caughtUp(move);
      await target.unfollow(move);
    }
    await carryKeys(this.deps, move.tenantId);
    const head = await compareCells(this.deps, move.tenantId);
    return source.advance(move, 'compare', head);
  }

  async #arrive(move: Move, slug: string): Promise<Move> {
    const { source, target, receiver, map } = this.deps;
    const { tenantId, id, closedEpoch } = move;
    const there = await target.liveMove(slug);
    if (there !== null) {
      await target.raiseNumbers(tenantId);
      const reason = `The tenant moved here from another installation, where epoch ${String(closedEpoch ?? 0)} ended (move ${id}).`;
      this.#epoch = await receiver.startEpoch({ tenantId, moveId: id, closed: closedEpoch ?? 0, reason });
      await target.advance(there, 'arrive');
    }
    if (map !== null) await map.cells.switch(tenantId, map.cell);
    await source.unpublish(move);
    return source.advance(move, 'finish');
  }

  async #caughtUp(move: Move): Promise<void> {
    const { source, settings } = this.deps;
    const position = await source.position();
    await this.#until(() => source.followedUpTo(move, position), settings.copyMs, refusals.copyTooSlow);
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
