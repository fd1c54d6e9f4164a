import { useMemo, useState } from 'react';
import type { AutonomyCell, AutonomyCellChange, AutonomyMatrix } from '#lib/api-schemas';
import type { Decision } from '#lib/formats';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { DataTable } from '../components/data-table.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { toneOf } from '../components/tone-of.js';

const SHOWN = 100;

const WORDS = { allow: 'executes', require_approval: 'with approval', deny: 'blocked' } as const;

interface MatrixTableProps {
  readonly matrix: AutonomyMatrix;
  /** The changes that the draft makes. */
  readonly changes: readonly AutonomyCellChange[];
}

/** The decision for every tool in every environment; if a draft changes it, before and after. */
export function MatrixTable({ matrix, changes }: MatrixTableProps) {
  const [search, setSearch] = useState('');
  const environments = useMemo(
    () =>
      // Production first: on a narrow screen, the others are the ones to scroll to.
      [...new Map(matrix.cells.map((cell) => [cell.environment, cell.production]))].sort(
        ([, one], [, other]) => Number(other) - Number(one),
      ),
    [matrix],
  );
  const cells = useMemo(
    () => new Map(matrix.cells.map((cell) => [`${cell.tool} ${cell.environment}`, cell])),
    [matrix],
  );
  const changed = new Map(changes.map((change) => [`${change.tool} ${change.environment}`, change]));
  const touched = new Set(changes.map(({ tool }) => tool));
  const tools = [...new Set(matrix.cells.map(({ tool }) => tool))]
    .filter((tool) => tool.includes(search))
    .sort((one, other) => Number(touched.has(other)) - Number(touched.has(one)) || one.localeCompare(other));
  return (
    <Card
      flush
      title={
        touched.size === 0
          ? 'Effect on every tool'
          : `Effect on every tool, if put in force: ${String(touched.size)} change`
      }
      actions={
        <input
          type="search"
          aria-label="Search tools"
          placeholder="Search tools"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
          }}
          className="h-8 w-44 rounded-lg border border-line-strong bg-surface px-2 text-sm placeholder:text-muted"
        />
      }
    >
      <DataTable
        label="Effective autonomy"
        columns={['Tool', ...environments.map(([name]) => name)]}
        rows={tools.slice(0, SHOWN).map((tool) => ({
          key: tool,
          cells: [
            <code key="tool" className="font-mono text-xs">
              {tool}
            </code>,
            ...environments.map(([environment]) => {
              const key = `${tool} ${environment}`;
              return <Cell key={key} cell={cells.get(key)} change={changed.get(key)} />;
            }),
          ],
        }))}
      />
      {environments.length > 1 && (
        <p className="px-4 pt-2 text-sm text-muted sm:hidden">Scroll the table sideways to see every environment.</p>
      )}
      <p className="flex flex-wrap items-center gap-2 px-4 py-2 text-sm text-muted">
        {environments.map(([name, production]) => (
          <EnvironmentLabel key={name} name={name} production={production} />
        ))}
        {tools.length > SHOWN && <span>{tools.length - SHOWN} more; search to see them</span>}
      </p>
    </Card>
  );
}

const Outcome = ({ decision }: { readonly decision: Decision }) => (
  <span className="flex flex-wrap items-center gap-1">
    <Badge tone={toneOf(decision.outcome)}>{WORDS[decision.outcome]}</Badge>
    {decision.outcome !== 'deny' && decision.obligations.phases === 'canary' && <Badge>canary only</Badge>}
    {decision.obligations.mfa && <Badge>second factor</Badge>}
  </span>
);

function Cell({
  cell,
  change,
}: {
  readonly cell: AutonomyCell | undefined;
  readonly change: AutonomyCellChange | undefined;
}) {
  if (change !== undefined)
    return (
      <span
        className={`flex flex-col gap-1 rounded-lg p-2 ${change.change === 'tightens' ? 'bg-sunken' : 'bg-bad-soft'}`}
      >
        <strong className="text-xs">
          {change.change === 'tightens' ? 'tighter' : change.change === 'mixed' ? 'looser and tighter' : 'looser'}
        </strong>
        <span className="line-through decoration-muted">
          <Outcome decision={change.before} />
        </span>
        <Outcome decision={change.after} />
        {change.what.map((line) => (
          <span key={line} className="text-xs">
            {line}
          </span>
        ))}
      </span>
    );
  return cell === undefined ? null : <Outcome decision={cell.decision} />;
}
