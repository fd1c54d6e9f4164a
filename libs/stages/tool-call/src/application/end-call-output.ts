import type { Tx } from '#lib/kernel';
import { heldChunks, NOTHING_HELD } from '../domain/call-output.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { CallOutputStore } from './call-output.port.js';

/**
 * Keeps the text that was held back of a call that its agent made, masked. No more output comes, and none of it stays
 * unmasked.
 */
export async function endCallOutput(
  tx: Tx,
  output: Pick<CallOutputStore, 'standing' | 'append'>,
  { id, executor }: Pick<ToolCall, 'id' | 'executor'>,
): Promise<void> {
  if (executor?.answeredBy !== 'agent') return;
  await output.append(tx, id, heldChunks(await output.standing(tx, id)), NOTHING_HELD);
}
