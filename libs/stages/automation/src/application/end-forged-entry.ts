import type { Actor, AuditSink, PersonId, Tx } from '#lib/kernel';
import type { SafeToolRepository } from './safe-tool.ports.js';

/** The tool, and the person who changes its place on the list. */
interface EndForged {
  readonly tool: string;
  readonly by: PersonId;
  readonly actor: Actor;
  readonly at: number;
}

/**
 * Ends the entry of a tool that Countersign did not write. It accepts nothing, and a true entry cannot stand beside it.
 * The audit log names the person. The row itself stands there under `record.not_authentic`.
 *
 * @returns whether there was one.
 */
export async function endForgedEntry(
  tx: Tx,
  entries: Pick<SafeToolRepository, 'removeForged'>,
  audit: AuditSink,
  { tool, by, actor, at }: EndForged,
): Promise<boolean> {
  const id = await entries.removeForged(tx, tool, by, at);
  if (id === null) return false;
  await audit.record(tx, {
    action: 'automation_safe_tool.forgery_removed',
    actor,
    level: 'critical',
    subject: { type: 'automation_safe_tool', id },
    payload: { tool },
  });
  return true;
}
