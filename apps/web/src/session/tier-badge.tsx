import type { ShellVerdictView } from '#lib/api-schemas';
import { verdictInWords } from '#lib/words';
import { Badge } from '../components/badge.js';

const TONES = { 1: 'good', 2: 'warn', 3: 'bad' } as const;

/** The tier of a command line and its class, by word and colour. */
export const TierBadge = (verdict: Pick<ShellVerdictView, 'tier' | 'class'>) => (
  <Badge tone={TONES[verdict.tier]}>{verdictInWords(verdict)}</Badge>
);
