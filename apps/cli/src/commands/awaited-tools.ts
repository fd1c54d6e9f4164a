import { z } from 'zod';
import type { ChangeRequestView } from '#lib/api-schemas';
import type { CountersignError } from '#lib/sdk';

const proposal = z.object({ tools: z.record(z.string(), z.unknown()) });

/**
 * The tools that a refused autonomy document names. Null if it is refused for anything else, or the waiting catalog lacks one of
 * them.
 */
export function awaitedTools({ problem }: CountersignError, { change }: ChangeRequestView): string[] | null {
  const proposed = new Set(Object.keys(proposal.parse(change).tools));
  const names = (problem.errors ?? []).map(({ code, pointer }) =>
    code === 'autonomy.unknown_tool' ? (pointer.split('/').at(-1) ?? '') : '',
  );
  return names.length > 0 && names.every((name) => proposed.has(name)) ? names : null;
}
