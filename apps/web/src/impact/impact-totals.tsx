import type { ImpactReportView } from '#lib/api-schemas';
import { aboutMany, thousands } from '#lib/words';
import { InertText } from '../components/agent-text.js';
import { Card } from '../components/card.js';
import { DataTable } from '../components/data-table.js';
import { useFirst } from './use-first.js';

const PARTS = ['environment', 'tool', 'agent'] as const;

interface TotalsProps {
  readonly by: ImpactReportView['by'];
  /** How many smaller ones each list lacks. */
  readonly leftOut: ImpactReportView['left_out'];
}

/** The decisions that would have come out otherwise, by environment, tool and agent; the largest first. */
export function ImpactTotals({ by, leftOut }: TotalsProps) {
  const { shown, more } = useFirst(PARTS.flatMap((of) => by[of].map((part) => ({ of, part }))));
  const missing = PARTS.flatMap((of) =>
    leftOut[of] === 0 ? [] : [`${thousands(leftOut[of])} ${of}${leftOut[of] === 1 ? '' : 's'}`],
  );
  return (
    <Card title="Totals by environment, tool and agent" flush>
      <DataTable
        label="Decisions that would have come out otherwise, by environment, tool and agent"
        columns={['Of', 'Otherwise', 'Looser']}
        numbers={['Otherwise', 'Looser']}
        rows={shown.map(({ of, part }) => ({
          key: `${of} ${part.name}`,
          cells: [
            <span key="of">
              {of} <InertText text={part.name} />
            </span>,
            aboutMany(part.changed, part.changed_estimate),
            aboutMany(part.looser, part.looser_estimate),
          ],
        }))}
      />
      {more}
      {missing.length > 0 && (
        <p className="px-4 py-2 text-sm text-muted">Smaller ones left out: {missing.join(', ')}.</p>
      )}
    </Card>
  );
}
