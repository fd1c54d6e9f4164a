import { err, fail, ok, type Result } from '#lib/kernel';
import { canBeUndone } from '../domain/move-state.js';
import * as refusals from './move-refusals.js';
import type { Move, MoveResult, MoveSides, SourceLog } from './move.ports.js';

/**
 * Lets the source serve the tenant again, and takes everything back that the target has. The caller has locked both sides, so that
 * the target arrives at nothing meanwhile.
 */
export async function undoMove(
  { source, target, log }: Pick<MoveSides, 'source' | 'target'> & { readonly log: Pick<SourceLog, 'stay'> },
  slug: string,
): Promise<Result<MoveResult>> {
  const here = await source.liveMove(slug);
  const there = await target.liveMove(slug);
  const arriving = there?.state === 'arriving' ? there : null;
  if (here !== null && !mayBeUndone(here, arriving)) return err(refusals.tooLate);
  if (here === null && arriving === null) return err(refusals.nothingToUndo);
  // The source first, so that it serves again even if the target fails then. Its login stays as long as the target follows it.
  if (here !== null) {
    await log.stay(here.tenantId, here.id);
    await source.advance(here, 'undo');
  }
  if (arriving !== null) {
    await target.unfollow(arriving);
    await target.clear(arriving.tenantId);
    await target.advance(arriving, 'undo');
  }
  // Also without a live move: a command that ended before this line left the publication, the login and the slot.
  const undone = here ?? arriving ?? fail(refusals.nothingToUndo);
  await source.unpublish(undone);
  return ok({ tenantId: undone.tenantId, state: 'undone', epoch: null });
}

/** After the switch only as long as the target has served nothing. */
const mayBeUndone = (here: Move, arriving: Move | null): boolean =>
  canBeUndone(here.state) && (here.state !== 'switched' || here.id === arriving?.id);

/**
 * Takes a move back on the source alone, which serves the tenant at once: the target cannot be reached. The source's row decides
 * who serves the tenant, so that a target of before the switch has no say. Its rows wait there, out of reach, until the
 * whole move is undone.
 *
 * @returns always a refusal: `tenant_move.half_undone`, or one that says why nothing was undone.
 */
export async function undoAtSource(
  source: Pick<MoveSides['source'], 'lock' | 'liveMove' | 'advance' | 'unpublish'>,
  log: Pick<SourceLog, 'stay'>,
  slug: string,
): Promise<Result<never>> {
  if (!(await source.lock(slug))) return err(refusals.otherCommand);
  const move = await source.liveMove(slug);
  if (move === null) return err(refusals.targetUnreached);
  if (move.state === 'switched') return err(refusals.targetDecides);
  if (!canBeUndone(move.state)) return err(refusals.tooLate);
  await log.stay(move.tenantId, move.id);
  await source.advance(move, 'undo');
  await source.unpublish(move);
  return err(refusals.halfUndone);
}
