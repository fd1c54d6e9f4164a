import type { ReactNode } from 'react';

const TONES = {
  neutral: 'bg-sunken text-muted',
  info: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const;

export type Tone = keyof typeof TONES;

/** A word of state. Colour never says anything that the word does not. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-md px-2 py-0.5 text-xs font-medium whitespace-nowrap forced-colors:border ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
