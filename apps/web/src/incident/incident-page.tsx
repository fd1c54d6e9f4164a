import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { IncidentDetailView } from '#lib/api-schemas';
import { stateInWords } from '#lib/words';
import { queryOf } from '../api/query.js';
import { useChannelTitles } from '../api/channel-titles.js';
import { useEnvironments } from '../api/environments.js';
import { usePlan } from '../api/plans.js';
import { useSignedIn } from '../api/browser-session.js';
import { ActorName } from '../components/actor-name.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button, buttonClass } from '../components/button.js';
import { Card } from '../components/card.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { RiskBadge } from '../components/risk-badge.js';
import { SkeletonRows } from '../components/skeleton.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo, TimeLeft, Timestamp } from '../components/times.js';
import { proofWords } from '../components/proof-words.js';
import { inWords } from '../components/tone-of.js';
import { WhatIsDone } from '../what-is-done/what-is-done.js';
import { IncidentDialog, type IncidentStep } from './incident-dialog.js';

/** One use of break-glass: the plan and its justification, the outcome, and the steps left. */
export function Component() {
  const { id = '' } = useParams();
  const incident = useQuery(queryOf('/v1/incidents/{id}', { path: { id } }));
  if (incident.data !== undefined) return <Shown incident={incident.data} />;
  if (incident.error !== null)
    return (
      <PageError
        title="Incident"
        error={incident.error}
        retry={() => void incident.refetch()}
        list={{ path: '/incidents', name: 'Incidents' }}
      />
    );
  return (
    <Page title="Incident">
      <SkeletonRows />
    </Page>
  );
}

/** The possible steps, the next one first. */
const NEXT: Readonly<Record<IncidentDetailView['state'], readonly IncidentStep[]>> = {
  open: ['acknowledge', 'notes'],
  acknowledged: ['resolve', 'notes'],
  resolved: ['review', 'notes'],
  reviewed: [],
};

const LABELS: Readonly<Record<IncidentStep, string>> = {
  acknowledge: 'Acknowledge',
  notes: 'Add a note',
  resolve: 'Resolve',
  review: 'Review',
};

/** The destinations that the autonomy document named, those of them without an address, and the people who always hear. */
function NotifiedPeople({
  incident: { notifies, timeline, notified: people },
}: {
  readonly incident: IncidentDetailView;
}) {
  const { person } = useSignedIn();
  const titleOf = useChannelTitles();
  const data = timeline[0]?.data;
  const listed = typeof data === 'object' && data !== null && 'reached_nowhere' in data ? data.reached_nowhere : null;
  const nowhere: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const reached = notifies.filter((name) => !nowhere.includes(name));
  return (
    <span className="flex flex-col gap-1">
      {notifies.length === 0 && <span>no destination is named</span>}
      {reached.length > 0 && <InertText text={reached.join(', ')} />}
      {nowhere.length > 0 && (
        <span className="text-bad">
          <InertText text={nowhere.join(', ')} /> could not be notified without an address.{' '}
          {person.roles.includes('PlatformAdmin') && (
            <Link to="/settings/incidents" className="text-accent underline">
              Add an address
            </Link>
          )}
        </span>
      )}
      <ul aria-label="People who are always notified" className="flex flex-col gap-1">
        {people.map(({ id, display_name: name, by }) => (
          <li key={id}>
            <InertText text={name} />{' '}
            <span className="text-muted">{['inbox and banner', ...by.map(titleOf)].join(', ')}</span>
          </li>
        ))}
      </ul>
    </span>
  );
}

/** Every call of the plan, from the plan itself. */
function Executed({ planId }: { readonly planId: string }) {
  const plan = usePlan(planId);
  if (plan.error !== null)
    return (
      <div className="p-4">
        <ErrorNote error={plan.error} retry={() => void plan.refetch()} />
      </div>
    );
  if (plan.data === undefined) return <SkeletonRows rows={3} />;
  if (plan.data.description === null) return <p className="p-4 text-sm text-muted">The plan could not be expanded.</p>;
  return <WhatIsDone description={plan.data.description} />;
}

const RUNNING: readonly IncidentDetailView['run_state'][] = ['queued', 'executing', 'paused', 'rolling_back'];

/** Says of each step why the reader cannot take it now; null if they can. */
function useBarred(incident: IncidentDetailView): (step: IncidentStep) => string | null {
  const running = RUNNING.includes(incident.run_state);
  return (step) => {
    if (step === 'resolve' && running) return 'The run has not ended. Wait for it, roll it back or cancel it.';
    if (step !== 'review' || incident.you_may_review) return null;
    return incident.why_not_review?.message ?? 'You hold no role. Ask a PlatformAdmin for one that reviews.';
  };
}

function Shown({ incident }: { readonly incident: IncidentDetailView }) {
  const environments = useEnvironments();
  const [step, setStep] = useState<IncidentStep | null>(null);
  const barred = useBarred(incident);
  return (
    <Page
      eyebrow={<Link to="/incidents">Incidents</Link>}
      title={incident.headline ?? `Break-glass in ${incident.environment.name}`}
      meta={
        <>
          <Badge tone="bad">break-glass</Badge>
          <StateBadge state={incident.state} />
          {incident.plan_risk !== null && <RiskBadge level={incident.plan_risk} />}
          {incident.overdue && <Badge tone="bad">review overdue</Badge>}
          <EnvironmentLabel
            name={incident.environment.name}
            production={environments.get(incident.environment.name)?.production ?? false}
          />
          <TimeAgo at={incident.opened_at} />
        </>
      }
      actions={NEXT[incident.state].map((each) => (
        <Button
          key={each}
          barred={barred(each)}
          look={each === 'notes' ? 'secondary' : 'primary'}
          onClick={() => {
            setStep(each);
          }}
        >
          {LABELS[each]}
        </Button>
      ))}
    >
      {incident.state === 'resolved' && incident.why_not_review !== null && (
        <p role="status" className="mb-4 rounded-lg bg-warn-soft p-3 text-sm">
          {incident.why_not_review.action}
        </p>
      )}
      <div className="grid gap-4 grid-cols-1 items-start lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex flex-col gap-4">
          <Card title={<InertText text={`Why, in the words of ${incident.invoked_by.display_name}`} />}>
            <p className="whitespace-pre-wrap">
              <InertText text={incident.justification} />
            </p>
          </Card>
          <Card title="What was executed, without an approval" flush>
            <Executed planId={incident.plan_id} />
          </Card>
          <Card title="Timeline">
            <ol className="flex flex-col gap-3 border-l-2 border-line pl-4">
              {incident.timeline.map(({ seq, kind, actor, text, at }) => (
                <li key={seq} className="text-sm">
                  <p className="flex flex-wrap items-center gap-2">
                    <span className="font-medium">{inWords(kind)}</span>
                    <span className="text-muted">
                      <ActorName actor={actor} />, <Timestamp at={at} />
                    </span>
                  </p>
                  {text !== '' && (
                    <p className="whitespace-pre-wrap">
                      <InertText text={text} />
                    </p>
                  )}
                </li>
              ))}
            </ol>
          </Card>
          {incident.post_mortem !== null && (
            <Card title="Post-mortem">
              <p className="whitespace-pre-wrap">
                <InertText text={incident.post_mortem} />
              </p>
            </Card>
          )}
          {incident.review_comment !== null && (
            <Card title={<InertText text={`Reviewed by ${incident.reviewed_by?.display_name ?? 'somebody'}`} />}>
              <p className="whitespace-pre-wrap">
                <InertText text={incident.review_comment} />
              </p>
            </Card>
          )}
        </div>
        <Card title="Who did it">
          <Facts
            facts={[
              ['Run', <StateBadge key="run" state={incident.run_state} />],
              ['By', <InertText key="by" text={incident.invoked_by.display_name} />],
              ['Second factor', proofWords(incident.second_factor.method)],
              ['Notified', <NotifiedPeople key="notified" incident={incident} />],
              [
                'Acknowledged',
                incident.acknowledged_at === null ? 'not yet' : <Timestamp key="at" at={incident.acknowledged_at} />,
              ],
              [
                'Review due',
                <span key="due" className="flex flex-wrap items-center gap-x-3">
                  <Timestamp at={incident.review_due_at} />
                  {incident.state !== 'reviewed' && <TimeLeft until={incident.review_due_at} over="overdue" />}
                </span>,
              ],
              [
                'Plan digest',
                <code key="digest" className="font-mono text-xs break-all">
                  {incident.plan_digest}
                </code>,
              ],
            ]}
          />
          <div className="mt-4 flex flex-wrap gap-2">
            <Link className={buttonClass('secondary', 'sm')} to={`/runs/${incident.run_id}`}>
              Run
            </Link>
            <Link className={buttonClass('secondary', 'sm')} to={`/plans/${incident.plan_id}`}>
              Plan
            </Link>
            <Link className={buttonClass('secondary', 'sm')} to={`/audit?plan_id=${incident.plan_id}`}>
              Audit
            </Link>
          </div>
          {incident.pages.length > 0 && (
            <ul className="mt-4 text-sm">
              {incident.pages.map(({ action, state, last_error: error }) => (
                <li key={action}>
                  PagerDuty: {action} {stateInWords(state)}
                  {error !== null && <span className="text-bad"> ({error})</span>}
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
      {step !== null && (
        <IncidentDialog
          id={incident.id}
          step={step}
          onClose={() => {
            setStep(null);
          }}
        />
      )}
    </Page>
  );
}
