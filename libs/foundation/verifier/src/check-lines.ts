import { isJsonList, type Json } from '#lib/canonical';
import { member } from './json-member.js';
import type { Pack } from './pack-shape.js';
import type { Refuse } from './verification-failure.js';

const items = (value: Json): readonly Json[] => (isJsonList(value) ? value : []);

/** The calls of a plan, or of its facts in a policy's input: both name them by phase and batch. */
const callsIn = (plan: Json): readonly Json[] =>
  items(member(plan, 'phases')).flatMap((phase) =>
    items(member(phase, 'batches')).flatMap((batch) => items(member(batch, 'calls'))),
  );

/** Tier and class, so that two verdicts can be compared; null for a call without a command line, or without paths. */
function verdictOf(value: Json): string | null {
  const [tier, of] = [member(value, 'tier'), member(value, 'class')];
  return tier === null && of === null ? null : JSON.stringify([tier, of]);
}

/** The verdicts of a call in a policy's input, in the order of those that the plan holds. */
const TOLD = ['shell', 'compensation_shell', 'paths', 'compensation_paths'] as const;

/**
 * Every decision about this plan was told the verdicts on its command lines and paths that the plan itself holds. A decision on milder verdicts
 * comes out the same when it is taken again, but it is about another plan.
 */
export function checkLines(pack: Pack, plan: Json, planDigest: string, refuse: Refuse): void {
  const planned = new Map(
    callsIn(plan).map((call) => [
      member(call, 'seq'),
      [
        ...[verdictOf(member(call, 'invocation', 'shell')), verdictOf(member(call, 'compensate_with', 'shell'))],
        ...[verdictOf(member(call, 'invocation', 'paths')), verdictOf(member(call, 'compensate_with', 'paths'))],
      ],
    ]),
  );
  pack.documents.forEach(({ kind, id, document }, position) => {
    if (kind !== 'policy-input' || member(document, 'plan', 'digest') !== planDigest) return;
    for (const call of callsIn(member(document, 'plan'))) {
      const held = planned.get(member(call, 'seq')) ?? TOLD.map(() => null);
      if (TOLD.every((name, index) => verdictOf(member(call, name)) === held[index])) continue;
      refuse(
        'story.other_verdict',
        `The decision ${id} was told another verdict on a command line, or on paths, than the plan holds.`,
        `/documents/${String(position)}`,
      );
    }
  });
}
