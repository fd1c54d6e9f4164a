import { useQuery } from '@tanstack/react-query';
import { inDuration } from '#lib/words';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Card } from '../components/card.js';
import { DataTable } from '../components/data-table.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';

interface OverrideRatesProps {
  readonly by: 'tool' | 'person';
}

const TITLES = { tool: 'How often people override, by tool', person: 'How often people override, by person' } as const;

const COLUMNS = ['Decided', 'Overridden', 'Rejected', 'Median time'] as const;

/** As many as are read at once; the API and the command line have them all. */
const SHOWN = 10;

/** How often people reject or send back the requests of agents, in the last 30 days. */
export function OverrideRates({ by }: OverrideRatesProps) {
  const found = useQuery(queryOf('/v1/approval-statistics', { query: { by } }));
  const items = found.data?.items.filter(({ decided }) => decided > 0) ?? [];
  return (
    <Card title={TITLES[by]} className="md:col-span-2" flush>
      {found.isPending && <SkeletonRows rows={2} />}
      {found.error !== null && (
        <div className="p-4">
          <ErrorNote error={found.error} retry={() => void found.refetch()} />
        </div>
      )}
      {found.data !== undefined && items.length === 0 && (
        <p className="p-4 text-sm text-muted">Nobody decided on a request in the last 30 days.</p>
      )}
      {items.length > 0 && (
        <DataTable
          label={TITLES[by]}
          columns={[by === 'tool' ? 'Tool' : 'Person', ...COLUMNS]}
          numbers={COLUMNS}
          rows={items.slice(0, SHOWN).map((item) => ({
            key: item.key,
            cells: [
              <InertText key="name" text={item.name} />,
              String(item.decided),
              shareOf(item.overridden, item.override_rate),
              shareOf(item.rejected, item.reject_rate),
              item.median_seconds_to_decision === null ? '' : inDuration(item.median_seconds_to_decision * 1_000),
            ],
          }))}
        />
      )}
      {items.length > 0 && (
        <p className="px-4 py-2 text-sm text-muted">
          In the last 30 days. Overridden: rejected, or sent back for changes.
          {items.length > SHOWN && ` ${String(items.length - SHOWN)} more: countersign approval-statistics --by ${by}`}
        </p>
      )}
    </Card>
  );
}

/** `3 (25 %)`. */
const shareOf = (count: number, share: number | null): string =>
  share === null ? String(count) : `${String(count)} (${String(Math.round(share * 100))} %)`;
