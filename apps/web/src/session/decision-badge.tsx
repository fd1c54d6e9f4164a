import type { SessionCallView } from '#lib/api-schemas';
import { Badge, type Tone } from '../components/badge.js';

const WORDS: Readonly<Record<NonNullable<SessionCallView['decision']>, readonly [string, Tone]>> = {
  auto_approved: ['allowed by policy', 'good'],
  approved: ['approved', 'good'],
  trusted: ['allowed by “always”', 'good'],
  denied: ['denied by policy', 'bad'],
  rejected: ['rejected', 'bad'],
  timeout: ['denied, nobody answered', 'bad'],
  cancelled: ['denied, session ended', 'neutral'],
};

/** The decision words, to choose from. */
export const DECISIONS = Object.entries(WORDS).map(([decision, [words]]) => [decision, words] as const);

/** How a call was decided; null while it waits. */
export function DecisionBadge({ decision }: { readonly decision: SessionCallView['decision'] }) {
  const [words, tone] = decision === null ? (['waits for an answer', 'warn'] as const) : WORDS[decision];
  return <Badge tone={tone}>{words}</Badge>;
}
