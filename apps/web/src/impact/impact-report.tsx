import { useState } from 'react';
import { Link } from 'react-router';
import type { ImpactReportView } from '#lib/api-schemas';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Codes } from '../components/codes.js';
import { countOf } from '../components/count-of.js';
import { DataTable } from '../components/data-table.js';
import { toneOf } from '../components/tone-of.js';
import { GATES, GAINS, OUTCOMES } from './impact-words.js';
import { pathOfExample } from './path-of-example.js';

type Group = ImpactReportView['groups'][number];
type Cell = ImpactReportView['cells'][number];

/** Rows of a table before a reader asks for all. */
const FIRST = 8;

/** The decisions of the last days that a change would have taken otherwise, and the cells that it loosens. */
export function ImpactReport({ report }: { readonly report: ImpactReportView }) {
  const { phase, progress } = report;
  return (
    <>
      <Card
        title="Impact on past decisions"
        flush={report.groups.length > 0}
        actions={phase === 'done' ? <Verdict report={report} /> : null}
      >
        <div role="status" className={`flex flex-col gap-2 text-sm ${report.groups.length > 0 ? 'px-4 pt-4' : ''}`}>
          <p>
            {phase === 'done'
              ? found(report)
              : phase === 'cancelled'
                ? 'The change ended before its impact was worked out.'
                : `Taking the decisions of the last ${String(daysOf(report))} days again: ${String(progress.looked)} of ${String(progress.to_look_at)}.`}
          </p>
          {phase === 'done' && <Notes report={report} />}
        </div>
        {report.groups.length > 0 && <Groups groups={report.groups} ungrouped={report.ungrouped} />}
      </Card>
      {phase === 'done' && report.cells.length > 0 && <Cells cells={report.cells} />}
      {phase === 'done' && report.beyond_cells.length > 0 && (
        <Card title="Looser beyond the cells">
          <ul className="list-disc pl-4 text-sm">
            {report.beyond_cells.map((line) => (
              <li key={line}>
                <InertText text={line} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function Verdict({ report: { looser, decisions } }: { readonly report: ImpactReportView }) {
  if (looser) return <Badge tone="bad">looser</Badge>;
  return decisions.not_put > 0 ? <Badge tone="warn">not known</Badge> : <Badge tone="good">nothing looser</Badge>;
}

const daysOf = ({ since, until }: ImpactReportView): number =>
  Math.round((Date.parse(until) - Date.parse(since)) / 86_400_000);

function found(report: ImpactReportView): string {
  const { total, changed, looser } = report.decisions;
  const period = `${base(report)} of the last ${String(daysOf(report))} days`;
  if (total === 0) return `There are no decisions of the last ${String(daysOf(report))} days to take again.`;
  if (changed === 0) return `Of ${period}, none would have come out otherwise.`;
  return `Of ${period}, ${String(changed)} would have come out otherwise. ${looser === 0 ? 'None of them is looser.' : `${String(looser)} of them would have let something pass.`}`;
}

/** The decisions that the counts are about: only those that were looked at and could be taken again. */
function base({ decisions: { total, not_put: notPut }, sample, progress }: ImpactReportView): string {
  const limits = [
    ...(notPut === 0 ? [] : [`${String(notPut)} could not be`]),
    ...(sample === null ? [] : [`a sample of ${String(total)}`]),
  ];
  if (limits.length === 0) return countOf(total, 'decision');
  const looked = countOf(progress.looked - notPut, 'decision');
  return `the ${looked} ${notPut === 0 ? 'looked at' : 'taken again'} (${limits.join('; ')})`;
}

/** The limits of the report, if it has any. */
function Notes({ report: { sample, progress, decisions, not_put: notPut } }: { readonly report: ImpactReportView }) {
  const { otherwise_today: today } = decisions;
  return (
    <>
      {sample !== null && (
        <p className="text-muted">
          This is a sample of {progress.to_look_at} decisions, with at least 200 of each gate and outcome.
        </p>
      )}
      {notPut.map(({ why, what, count }) => (
        <p key={why}>
          <Badge tone="warn">{countOf(count, 'decision')} not taken again</Badge> {what}.
        </p>
      ))}
      {today > 0 && (
        <p className="text-muted">
          {countOf(today, 'decision')} would come out otherwise today even without this change, because settings have
          moved.
        </p>
      )}
    </>
  );
}

function Groups({ groups, ungrouped }: { readonly groups: readonly Group[]; readonly ungrouped: number }) {
  const { shown, more } = useFirst(groups);
  return (
    <>
      <DataTable
        label="Decisions that would have come out otherwise"
        columns={['How many', 'Outcome', 'Of', 'Look at']}
        rows={shown.map((group, index) => ({
          key: String(index),
          cells: [
            <span key="count" className="flex flex-col items-start gap-1">
              {group.count === group.estimate ? group.count : `${String(group.count)}, about ${String(group.estimate)}`}
              <Badge tone={group.change === 'tightens' ? 'info' : 'bad'}>
                {group.change === 'tightens' ? 'tighter' : 'looser'}
              </Badge>
            </span>,
            <Difference key="outcome" group={group} />,
            <span key="of" className="flex flex-col gap-1">
              <span className="font-mono text-xs">
                <InertText text={group.tools.join(', ')} />
              </span>
              {group.environment !== null && <span>in {group.environment}</span>}
              {group.agent !== null && (
                <span>
                  by <InertText text={group.agent.name} />
                </span>
              )}
            </span>,
            <ul key="examples" className="flex flex-col">
              {group.examples.map((example) => {
                const { path, word } = pathOfExample(example);
                return (
                  <li key={example.decision_id}>
                    <Link className="text-accent underline" to={path}>
                      {word}
                    </Link>
                  </li>
                );
              })}
            </ul>,
          ],
        }))}
      />
      {more}
      {ungrouped > 0 && (
        <p className="px-4 py-2 text-sm text-muted">{countOf(ungrouped, 'decision')} of further kinds.</p>
      )}
    </>
  );
}

function Difference({ group }: { readonly group: Group }) {
  const also = group.what.filter((line) => !line.startsWith('outcome:'));
  return (
    <span className="flex flex-col gap-1">
      <span className="text-xs text-muted">{GATES[group.stage ?? group.entrypoint] ?? group.entrypoint}</span>
      <span className="flex flex-wrap items-center gap-1">
        <Badge tone={toneOf(group.from)}>{OUTCOMES[group.from]}</Badge>
        {group.from !== group.to && (
          <>
            <span>becomes</span>
            <Badge tone={toneOf(group.to)}>{OUTCOMES[group.to]}</Badge>
          </>
        )}
      </span>
      {also.map((line) => (
        <span key={line} className="text-xs">
          {line}
        </span>
      ))}
      <Codes names={[...group.rules_come.map((rule) => `+ ${rule}`), ...group.rules_go.map((rule) => `− ${rule}`)]} />
    </span>
  );
}

function Cells({ cells }: { readonly cells: readonly Cell[] }) {
  const { shown, more } = useFirst(cells.toSorted((a, b) => Number(b.in_force) - Number(a.in_force)));
  return (
    <Card title="Tools that become looser, never satisfiable or always allowed" flush>
      <DataTable
        label="Cells that a change loosens"
        columns={['Tool', 'Mode', 'Becomes', 'What changes']}
        rows={shown.map(({ tool, environment, mode, in_force: inForce, gains, what }) => ({
          key: `${tool} ${environment} ${mode}`,
          cells: [
            <span key="tool" className="flex flex-col gap-1">
              <code className="font-mono text-xs">{tool}</code>
              <span>in {environment}</span>
            </span>,
            <span key="mode" className="flex flex-col items-start gap-1">
              {mode} {inForce ? <Badge>in force</Badge> : <span className="text-xs text-muted">if it were</span>}
            </span>,
            <span key="gains" className="flex flex-wrap gap-1">
              {gains.map((gain) => (
                <Badge key={gain} tone={gain === 'never_satisfiable' ? 'warn' : 'bad'}>
                  {GAINS[gain]}
                </Badge>
              ))}
            </span>,
            <InertText key="what" text={what.join('; ')} />,
          ],
        }))}
      />
      {more}
    </Card>
  );
}

/** The first rows of a long list, and a button for the rest. */
function useFirst<Row>(rows: readonly Row[]) {
  const [all, setAll] = useState(false);
  const rest = rows.length - FIRST;
  return {
    shown: all ? rows : rows.slice(0, FIRST),
    more: rest > 0 && !all && (
      <p className="px-4 py-2">
        <Button
          size="sm"
          onClick={() => {
            setAll(true);
          }}
        >
          Show {rest} more
        </Button>
      </p>
    ),
  };
}
