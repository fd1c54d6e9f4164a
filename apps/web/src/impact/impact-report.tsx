import { Link } from 'react-router';
import type { ImpactReportView } from '#lib/api-schemas';
import { ownMember } from '#lib/canonical';
import { aboutMany, isImpactNotKnown, partOf, thousands } from '#lib/words';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Codes } from '../components/codes.js';
import { DataTable } from '../components/data-table.js';
import { toneOf } from '../components/tone-of.js';
import { ImpactCells } from './impact-cells.js';
import { ImpactTotals } from './impact-totals.js';
import { GATES, OUTCOMES } from './impact-words.js';
import { useFirst } from './use-first.js';

type Group = ImpactReportView['groups'][number];

/** The decisions of the last days that a change would have taken otherwise, and the cells that it loosens. */
export function ImpactReport({ report }: { readonly report: ImpactReportView }) {
  const { phase } = report;
  const shown = phase === 'done' || phase === 'outdated';
  const grouped = report.groups.length > 0 && (shown || phase === 'working');
  return (
    <>
      <Card
        title="Impact on past decisions"
        flush={grouped}
        actions={phase === 'done' && !report.outdated ? <Verdict report={report} /> : null}
      >
        <div role="status" className={`flex flex-col gap-2 text-sm ${grouped ? 'px-4 py-4' : ''}`}>
          <Standing report={report} />
          {shown && <Notes report={report} />}
        </div>
        {grouped && <Groups report={report} />}
      </Card>
      {grouped && report.group_count > 1 && <ImpactTotals by={report.by} leftOut={report.left_out} />}
      {shown && report.cell_counts.found > 0 && <ImpactCells report={report} />}
      {shown && report.beyond_cells.length > 0 && (
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

function Verdict({ report }: { readonly report: ImpactReportView }) {
  if (report.looser) return <Badge tone="bad">looser</Badge>;
  return isImpactNotKnown(report) ? <Badge tone="warn">not known</Badge> : <Badge tone="good">nothing looser</Badge>;
}

/** The result, or how far the work is. */
function Standing({ report }: { readonly report: ImpactReportView }) {
  const { phase, progress, renewals, failure, summary, outdated } = report;
  const again = renewals > 0 ? ' It began anew, since settings had moved or the work had failed.' : '';
  switch (phase) {
    case 'waiting':
      return <p>It is about to be worked out.</p>;
    case 'working':
      return (
        <>
          <p>
            Taking the decisions of the last {daysOf(report)} days again: {thousands(progress.looked)} of{' '}
            {thousands(progress.to_look_at)}.{again}
          </p>
          <progress
            aria-label="Decisions taken again"
            className="h-1.5 w-full accent-accent"
            value={progress.looked}
            max={Math.max(1, progress.to_look_at)}
          />
        </>
      );
    case 'outdated':
      return (
        <>
          <p className="rounded-lg bg-warn-soft p-3">
            Settings or policies have moved since this was worked out. It is worked out again in a moment.
          </p>
          <p className="text-muted">Before: {summary}</p>
        </>
      );
    case 'done':
      return (
        <>
          {outdated && (
            <p className="rounded-lg bg-warn-soft p-3">
              Settings or policies have moved since this was worked out, so it may not hold.
            </p>
          )}
          <p>{summary}</p>
        </>
      );
    case 'cancelled':
      return <p>The change ended before its impact was worked out.</p>;
    case 'failed':
      return (
        <p>
          <Badge tone="warn">not worked out</Badge> {failure?.message} {failure?.action}
        </p>
      );
  }
}

const daysOf = ({ since, until }: ImpactReportView): number =>
  Math.round((Date.parse(until) - Date.parse(since)) / 86_400_000);

/** The limits of the report, if it has any. */
function Notes({ report }: { readonly report: ImpactReportView }) {
  const { sample, progress, decisions, estimates, not_put: notPut } = report;
  return (
    <>
      {sample !== null && (
        <p className="text-muted">
          The sample holds {thousands(progress.looked)} of {thousands(decisions.total)} decisions, about 200 or more of
          each gate and outcome. Every number below is an estimate from these.
        </p>
      )}
      {notPut.map(({ why, what, count, estimate, examples }) => (
        <div key={why}>
          <p>
            <Badge tone="warn">{aboutMany(count, estimate)} not taken again</Badge> {what}. For example:
          </p>
          <Pages examples={examples} />
        </div>
      ))}
      {decisions.otherwise_today > 0 && (
        <p className="text-muted">
          Without this change, {aboutMany(decisions.otherwise_today, estimates.otherwise_today)} of them would come out
          otherwise today than they did then, because settings have moved.
        </p>
      )}
    </>
  );
}

function Groups({
  report: { groups, group_count: found, decisions, estimates },
}: {
  readonly report: ImpactReportView;
}) {
  const { shown, more } = useFirst(groups);
  return (
    <>
      <DataTable
        label="Decisions that would have come out otherwise"
        columns={['How many', 'Outcome', 'Of']}
        rows={shown.map((group, index) => ({
          key: String(index),
          cells: [
            <span key="count" className="flex flex-col items-start gap-1">
              {aboutMany(group.count, group.estimate)}
              <Badge tone={group.change === 'tightens' ? 'info' : 'bad'}>
                {group.change === 'tightens' ? 'tighter' : 'looser'}
              </Badge>
            </span>,
            <Difference key="outcome" group={group} />,
            <GroupScope key="of" group={group} />,
          ],
        }))}
      />
      {more}
      {found > groups.length && (
        <p className="px-4 py-2 text-sm text-muted">
          The {thousands(groups.length)} largest of{' '}
          {decisions.uncounted === 0
            ? `${thousands(found)} kinds of differences`
            : `the ${thousands(found)} kinds kept`}{' '}
          are listed. The others have{' '}
          {aboutMany(decisions.ungrouped - decisions.uncounted, estimates.ungrouped - estimates.uncounted)} decisions,{' '}
          {partOf(
            decisions.ungrouped_looser - decisions.uncounted_looser,
            estimates.ungrouped_looser - estimates.uncounted_looser,
          )}{' '}
          of them looser. The totals below count them, too.
          {decisions.uncounted > 0 &&
            ` They do not count ${aboutMany(decisions.uncounted, estimates.uncounted)} decisions of further kinds, ${partOf(decisions.uncounted_looser, estimates.uncounted_looser)} of them looser.`}
        </p>
      )}
    </>
  );
}

/** The pages of decisions to look at. Several decisions of one thing have one page. */
function Pages({ examples }: { readonly examples: Group['examples'] }) {
  const pages = [...new Map(examples.map(({ page }) => [page.path, page.name]))];
  return (
    // On a phone a name takes several lines: a gap says where the next one begins.
    <ul className="flex flex-col gap-2 sm:gap-0">
      {pages.map(([path, name]) => (
        <li key={path}>
          <Link className="text-accent underline" to={path}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The tools, the environment and the agent of a group, and the things to look at. */
function GroupScope({ group: { tools, environment, agent, examples } }: { readonly group: Group }) {
  return (
    // On a phone a name may break anywhere: a link that stands out of the card is seen by nobody.
    <span className="flex min-w-22 flex-col gap-1 wrap-anywhere">
      <span className="font-mono text-xs">
        <InertText text={tools.join(', ')} />
      </span>
      <span>
        {environment !== null && `in ${environment}`}
        {agent !== null && (
          <>
            {' '}
            by <InertText text={agent.name} />
          </>
        )}
      </span>
      <Pages examples={examples} />
    </span>
  );
}

function Difference({ group }: { readonly group: Group }) {
  const also = group.what.slice(group.from === group.to ? 0 : 1);
  return (
    <span className="flex flex-col gap-1">
      <span className="text-xs text-muted">
        {ownMember(GATES, group.stage ?? group.entrypoint) ?? group.entrypoint}
      </span>
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
      <Rules group={group} />
    </span>
  );
}

/** The rules that made the difference. Those of a reason have its code. */
function Rules({ group }: { readonly group: Group }) {
  return (
    <Codes
      summary="Rules"
      names={[
        ...group.rules_come.map(({ rule, code }) => `with the change: ${rule} (${code})`),
        ...group.rules_go.map(({ rule, code }) => `without it: ${rule} (${code})`),
        ...group.rules_otherwise.map(({ rule, asks }) => `asks otherwise: ${rule} (${asks})`),
      ]}
    />
  );
}
