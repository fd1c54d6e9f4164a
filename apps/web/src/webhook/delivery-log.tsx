import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { LoggedDeliveryView } from '#lib/api-schemas';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { countOf } from '../components/count-of.js';
import { ErrorNote } from '../components/error-note.js';
import { FilterSelect } from '../components/filter-select.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { useFilters } from '../components/use-filters.js';
import { Delivery } from './delivery.js';

type State = LoggedDeliveryView['state'];

const STATES: readonly State[] = ['pending', 'delivered', 'failed'];
const TONES = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;
const FILTERS = ['state'] as const;

/** The deliveries of thirty days, newest first; each unfolds to its attempts and its body. */
export function DeliveryLog({ id }: { readonly id: string }) {
  const { values, set } = useFilters(FILTERS);
  const list = usePaged('/v1/webhooks/{id}/deliveries', values, { id });
  const filtered = values.state !== '';
  return (
    <Card
      title="Delivery log"
      flush
      actions={
        <FilterSelect
          label="State"
          value={values.state ?? ''}
          values={STATES}
          onChange={(value) => {
            set('state', value);
          }}
        />
      }
    >
      {list.isPending && <SkeletonRows rows={3} />}
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} retry={list.again} />
        </div>
      )}
      {!list.isPending && list.error === null && list.items.length === 0 && (
        <p className="p-4 text-sm text-muted">
          {filtered ? 'Nothing matches.' : 'Nothing was sent yet. Send a test to see whether its receiver takes it.'}
        </p>
      )}
      <ul aria-label="Deliveries">
        {list.items.map((delivery) => (
          <DeliveryItem key={delivery.id} webhookId={id} delivery={delivery} />
        ))}
      </ul>
      {list.hasMore && (
        <div className="p-3">
          <Button size="sm" onClick={list.more}>
            Earlier ones
          </Button>
        </div>
      )}
    </Card>
  );
}

interface DeliveryItemProps {
  readonly webhookId: string;
  readonly delivery: LoggedDeliveryView;
}

function DeliveryItem({ webhookId, delivery }: DeliveryItemProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const Chevron = open ? ChevronDown : ChevronRight;
  const { event, state, attempts, created_at: at, next_attempt_at: next, tries } = delivery;
  const wrong = tries.at(-1)?.error ?? null;
  return (
    <li className="border-b border-line last:border-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        className="flex w-full gap-2 px-4 py-3 text-left text-sm hover:bg-sunken focus-visible:-outline-offset-2"
        onClick={() => {
          setOpen(!open);
        }}
      >
        <Chevron aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-mono">{event}</span>
            <Badge tone={TONES[state]}>{state}</Badge>
            <span className="text-muted">{countOf(attempts, 'attempt')}</span>
            {state === 'pending' && next !== null && attempts > 0 && (
              <span className="inline-flex items-center gap-1 text-muted">
                next attempt: <TimeLeft until={next} over="now" deadline={false} />
              </span>
            )}
            <span className="ml-auto text-muted">
              <TimeAgo at={at} />
            </span>
          </span>
          {wrong !== null && (
            <span className="mt-1 block break-words text-bad">
              <InertText text={wrong} />
            </span>
          )}
        </span>
      </button>
      <div id={id} hidden={!open}>
        {open && <Delivery webhookId={webhookId} id={delivery.id} />}
      </div>
    </li>
  );
}
