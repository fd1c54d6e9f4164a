import type { Problem } from '#lib/client';

/** Asks the person why; null if they do not say. */
type AskWhy = (problem: Problem) => Promise<string | null>;

let ask: AskWhy | null = null;

/** Registers the dialog that asks the question, while it can be shown. */
export const askWhyWith = (asker: AskWhy | null): void => {
  ask = asker;
};

/** The header with the reason for a change that loosens a guardrail; null if the person gives none. */
export async function reasonFor(problem: Problem): Promise<Record<string, string> | null> {
  if (problem.code !== 'change.reason_missing' || ask === null) return null;
  const reason = await ask(problem);
  return reason === null ? null : { 'countersign-reason': encodeURIComponent(reason) };
}
