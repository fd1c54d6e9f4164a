import { err, type Result } from '#lib/kernel';
import { canBeUndone } from '../domain/move-state.js';
import * as refusals from './move-refusals.js';
import type { MoveSides } from './move.ports.js';

/**
 * Takes a move back on the source alone, which serves the tenant at once: the target cannot be reached. The source's row decides
 * who serves the tenant, so that a target of before the switch has no say. Its rows wait there, out of reach, until the
 * whole move is undone.
 *
 * @returns always a refusal: `tenant_move.half_undone`, or one that says why nothing was undone.
 */
export async function undoAtSource(
  source: Pick<MoveSides['source'], 'liveMove' | 'advance' | 'unpublish'>,
  slug: string,
): Promise<Result<never>> {
  const move = await source.liveMove(slug);
  if (move === null) return err(refusals.targetUnreached);
  if (!canBeUndone(move.state)) return err(refusals.tooLate);
  await source.advance(move, 'undo');
  await source.unpublish(move);
  return err(refusals.halfUndone);
}
