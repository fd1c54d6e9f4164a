import type { ChangeRequestView } from '#lib/api-schemas';
import type { ChangeState } from '#lib/formats';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { FilterSelect } from '../components/filter-select.js';
import { FilterToggle } from '../components/filter-toggle.js';
import { ListPage } from '../components/list-page.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { useFilters } from '../components/use-filters.js';
import { kindWords } from './kind-words.js';

const STATES: readonly ChangeState[] = ['open', 'applied', 'rejected', 'withdrawn', 'expired', 'voided'];
const FILTERS = ['state', 'confirmable'] as const;

const keyOf = ({ id }: ChangeRequestView): string => id;
const pathOf = ({ id }: ChangeRequestView): string => `/changes/${id}`;

/** Changes that loosen the gate, and wait or waited for a second person. */
export function Component() {
  const { values, set, clear, active } = useFilters(FILTERS);
  const list = usePaged('/v1/change-requests', values);
  return (
    <ListPage
      title="Changes"
      meta="Changes that loosen a guardrail wait here for a second person. Changes that tighten one are in force at once."
      list={list}
      keyOf={keyOf}
      pathOf={pathOf}
      active={active}
      onClear={clear}
      empty="Nobody has asked for anything that loosens the gate."
      filters={
        <>
          <FilterSelect
            label="State"
            value={values.state ?? ''}
            values={STATES}
            onChange={(value) => {
              set('state', value);
            }}
          />
          <FilterToggle
            label="only what I may confirm"
            value={values.confirmable ?? ''}
            onChange={(value) => {
              set('confirmable', value);
            }}
          />
        </>
      }
    >
      {(change) => (
        <>
          <span className="line-clamp-2 font-medium">
            <InertText text={change.what} />
          </span>
          <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <StateBadge state={change.state} />
            <Badge>{kindWords(change.kind)}</Badge>
            <span>
              by <InertText text={change.requested_by.display_name} />
            </span>
            <TimeAgo at={change.opened_at} />
            {change.state === 'open' && <TimeLeft until={change.expires_at} />}
          </span>
        </>
      )}
    </ListPage>
  );
}
