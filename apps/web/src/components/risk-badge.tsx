import { Gauge } from 'lucide-react';
import { ownMember } from '#lib/canonical';

const LOOKS: Readonly<Record<string, string>> = {
  low: 'bg-good-soft text-good',
  medium: 'bg-warn-soft text-warn',
  high: 'bg-bad-soft text-bad',
  critical: 'bg-danger text-danger-ink',
};

/** A level of risk, by colour and by word. */
export function RiskBadge({ level }: { readonly level: string }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-md px-2 py-0.5 text-xs font-semibold whitespace-nowrap forced-colors:border ${ownMember(LOOKS, level) ?? 'bg-sunken text-muted'}`}
    >
      <Gauge aria-hidden className="size-3.5" />
      {level} risk
    </span>
  );
}
