import type { LoggedDeliveryView } from '#lib/api-schemas';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { countOf } from '../components/count-of.js';
import { FilterSelect } from '../components/filter-select.js';
import { PagedList } from '../components/paged-list.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { UnfoldingItem } from '../components/unfolding-item.js';
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
    <PagedList
      title="Delivery log"
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
      list={list}
      empty={filtered ? 'Nothing matches.' : 'Nothing was sent yet. Send a test to see whether its receiver takes it.'}
      more="Earlier ones"
    >
      {(delivery) => <DeliveryItem key={delivery.id} webhookId={id} delivery={delivery} />}
    </PagedList>
  );
}

interface DeliveryItemProps {
  readonly webhookId: string;
  readonly delivery: LoggedDeliveryView;
}

function DeliveryItem({ webhookId, delivery }: DeliveryItemProps) {
  const { event, state, attempts, created_at: at, next_attempt_at: next, tries } = delivery;
  const wrong = tries.at(-1)?.error ?? null;
  return (
    <UnfoldingItem
      line={
        <>
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
        </>
      }
      more={() =>
        wrong !== null && (
          <span className="mt-1 block break-words text-bad">
            <InertText text={wrong} />
          </span>
        )
      }
    >
      <Delivery webhookId={webhookId} id={delivery.id} />
    </UnfoldingItem>
  );
}
