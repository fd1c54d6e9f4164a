import { z } from 'zod';
import type { LoggedEvent } from '#lib/kernel';

const changeFacts = z.object({ kind: z.string(), subject: z.object({ type: z.string(), id: z.string() }) });

/**
 * The kind and the subject of a change. The other facts name people: the seats of its author and of its reviewers, the reason and
 * the detail. Null if they were erased.
 */
export const factsOfChange = (payload: LoggedEvent['payload']): z.infer<typeof changeFacts> | null =>
  changeFacts.safeParse(payload).data ?? null;
