import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { toolCallResponseSchema, uuidSchema, type ToolCallResponse } from '#lib/formats';
import { errorCode } from '#lib/kernel';
import { readIfThere, removeDurably, writeDurably } from './durable-file.js';

const entrySchema = z.strictObject({
  id: uuidSchema,
  tool: z.string(),
  /** Whether the tool reads only: it changed nothing, however it ended. */
  reads: z.boolean(),
  state: z.enum(['taken', 'started', 'ended']),
  answer: toolCallResponseSchema.nullable(),
});
/** A call that the runner holds. It is on the disk before anything happens that its state tells. */
export type JournalEntry = z.infer<typeof entrySchema>;

/** The calls that a runner holds, one file each, until Countersign has their answers. */
export class CallJournal {
  readonly #entries = new Map<string, JournalEntry>();

  private constructor(private readonly folder: string) {}

  /** Opens the journal with the entries that a process before left. */
  static async open(folder: string): Promise<CallJournal> {
    const journal = new CallJournal(folder);
    for (const name of await namesIn(folder)) {
      if (!name.endsWith('.json')) continue;
      const text = await readIfThere(join(folder, name));
      if (text === null) continue;
      const entry = entrySchema.parse(JSON.parse(text));
      journal.#entries.set(entry.id, entry);
    }
    return journal;
  }

  get held(): readonly JournalEntry[] {
    return [...this.#entries.values()];
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** It is held from now on, and on the disk once the promise resolves. */
  async write(entry: JournalEntry): Promise<void> {
    // At once: the next request for a call tells that this one is held.
    this.#entries.set(entry.id, entry);
    await writeDurably(join(this.folder, `${entry.id}.json`), JSON.stringify(entry));
  }

  async remove(id: string): Promise<void> {
    await removeDurably(join(this.folder, `${id}.json`));
    this.#entries.delete(id);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The answer to a call if its process died. A call that had not started did nothing; the effect of another one is unknown. */
export function answerAfterDeath({ state, reads, tool, answer }: JournalEntry): ToolCallResponse {
  if (answer !== null) return answer;
  if (state === 'taken' || reads) {
    const message = `The runner ended before ${tool} changed anything.`;
    return { ok: false, effect: 'not_started', error: { code: 'runner.restarted', message } };
  }
  const message = `The runner ended while it carried out ${tool}. Look at the workspace, then resolve the step.`;
  return { ok: false, effect: 'unknown', error: { code: 'runner.died', message } };
}
