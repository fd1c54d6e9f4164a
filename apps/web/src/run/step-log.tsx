import type { RunEventView } from '#lib/api-schemas';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { clock } from '../components/clock.js';
import { inWords, toneOf } from '../components/tone-of.js';
import { VirtualList } from '../components/virtual-list.js';
import { summaryOf } from './event-summary.js';

/** Everything that happened, the latest first. */
export function StepLog({ events }: { readonly events: readonly RunEventView[] }) {
  if (events.length === 0) return <p className="p-4 text-sm text-muted">Nothing has happened yet.</p>;
  return (
    <VirtualList
      rows={events.toReversed()}
      label="Events of the run"
      estimate={44}
      keyOf={({ seq }) => String(seq)}
      className="h-96"
    >
      {(event) => (
        <div className="grid items-baseline gap-x-3 px-4 py-2 text-sm sm:grid-cols-[11rem_1fr]">
          <time dateTime={event.at} className="text-xs text-muted">
            {clock.format(new Date(event.at))}
          </time>
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <Badge tone={toneOf(event.type.replace(/^run\.(step_|compensation_)?/, ''))}>
              {inWords(event.type.replace(/^run\./, '').replace('compensation', 'undo'))}
            </Badge>
            <span className="min-w-0">
              <InertText text={summaryOf(event)} />
            </span>
            {event.actor.kind !== 'system' && (
              <span className="text-xs text-muted">
                by <InertText text={event.actor.display_name} />
              </span>
            )}
          </div>
        </div>
      )}
    </VirtualList>
  );
}
