import { useState } from 'react';
import type { ImpactReportView } from '#lib/api-schemas';
import { thousands } from '#lib/words';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { DataTable } from '../components/data-table.js';
import { ErrorNote } from '../components/error-note.js';
import { Skeleton } from '../components/skeleton.js';
import { GAINS } from './impact-words.js';
import { FIRST } from './use-first.js';

type Cell = ImpactReportView['cells'][number];

/** Every cell that a change makes looser, never satisfiable or always allowed; those in force come first. */
export function ImpactCells({ report: { id, cells, cell_counts: counts } }: { readonly report: ImpactReportView }) {
  const [all, setAll] = useState(false);
  const rest = counts.found - FIRST;
  return (
    <Card title="Tools that become looser, never satisfiable or always allowed" flush>
      {!all && <CellTable cells={cells.slice(0, FIRST)} />}
      {!all && rest > 0 && (
        <p className="px-4 py-2">
          <Button
            size="sm"
            onClick={() => {
              setAll(true);
            }}
          >
            Show {thousands(rest)} more
          </Button>
        </p>
      )}
      {all && (cells.length === counts.found ? <CellTable cells={cells} /> : <AllCells id={id} />)}
    </Card>
  );
}

/** A report comes with its first cells; the rest is a list of its own. */
function AllCells({ id }: { readonly id: string }) {
  const { items, isPending, error, hasMore, more, again } = usePaged('/v1/impact-reports/{id}/cells', {}, { id });
  return (
    <>
      {isPending && <Skeleton className="h-24" />}
      {items.length > 0 && <CellTable cells={items} />}
      {error !== null && <ErrorNote error={error} retry={again} />}
      {hasMore && (
        <p className="px-4 py-2">
          <Button size="sm" onClick={more}>
            Show more
          </Button>
        </p>
      )}
    </>
  );
}

function CellTable({ cells }: { readonly cells: readonly Cell[] }) {
  return (
    <DataTable
      label="Cells that a change loosens"
      columns={['Tool', 'Becomes']}
      rows={cells.map(({ tool, environment, mode, in_force: inForce, gains, what }) => ({
        key: `${tool} ${environment} ${mode}`,
        cells: [
          <span key="tool" className="flex flex-col items-start gap-1">
            <code className="font-mono text-xs">{tool}</code>
            <span className="font-normal">
              in {environment}, {inForce ? mode : `if it were ${mode}`}
            </span>
            {inForce && <Badge>in force</Badge>}
          </span>,
          <span key="gains" className="flex flex-col gap-1">
            <span className="flex flex-wrap gap-1">
              {gains.map((gain) => (
                <Badge key={gain} tone={gain === 'never_satisfiable' ? 'warn' : 'bad'}>
                  {GAINS[gain]}
                </Badge>
              ))}
            </span>
            <InertText text={what.join('; ')} />
          </span>,
        ],
      }))}
    />
  );
}
