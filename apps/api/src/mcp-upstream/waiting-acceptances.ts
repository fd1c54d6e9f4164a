import { z } from 'zod';
import type { ReadChanges } from '#lib/change-request';
import { toolDocumentSchema } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';

/** More changes of the catalog hardly ever wait at a time. */
const MAX_WAITING = 200;

const payloadSchema = z.object({ tools: z.record(z.string(), z.object({ mcp: toolDocumentSchema.shape.mcp })) });

/** An acceptance that waits for a second person. */
export interface WaitingAcceptance {
  readonly changeRequestId: string;
  /** Of the definition that the first person accepted. */
  readonly digest: string;
}

/** The acceptances that wait for a second person, by the name of the tool. Of several for one tool the newest. */
export async function waitingAcceptances(
  reading: ReadChanges,
  by: PersonPrincipal,
): Promise<ReadonlyMap<string, WaitingAcceptance>> {
  const filter = { state: 'open', kind: 'tool_catalog', confirmable: false } as const;
  const waiting = new Map<string, WaitingAcceptance>();
  for (const { change } of await reading.list(by, filter, { limit: MAX_WAITING, after: null })) {
    const payload = payloadSchema.safeParse(change.payload);
    for (const [name, { mcp }] of Object.entries(payload.data?.tools ?? {}))
      if (mcp !== undefined && !waiting.has(name))
        waiting.set(name, { changeRequestId: change.id, digest: mcp.digest });
  }
  return waiting;
}
