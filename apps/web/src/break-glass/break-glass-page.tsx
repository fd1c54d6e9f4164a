import { useMutation } from '@tanstack/react-query';
import { Siren } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { BreakGlassAvailabilityView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { usePlan } from '../api/plans.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { Field } from '../components/field.js';
import { Headline } from '../components/headline.js';
import { Page } from '../components/page.js';
import { RiskBadge } from '../components/risk-badge.js';
import { SkeletonRows } from '../components/skeleton.js';
import { StateBadge } from '../components/state-badge.js';
import { CountFolds, useFolds } from '../what-is-done/folds.js';
import { OpenFolds } from '../what-is-done/open-folds.js';
import { WhatIsDone } from '../what-is-done/what-is-done.js';
import { StepUpForm } from '../step-up/step-up-form.js';
import { TaskEnvironment, TaskGoal } from '../task/task-heading.js';
import { Unavailable, useAvailability } from './availability.js';
import { ChoosePlan } from './choose-plan.js';
import { Notified } from './notified.js';

const SHORTEST = 20;

/** Executes a plan without its approval, in an emergency: loud, and reviewed by somebody else afterwards. */
export function Component() {
  const [search, setSearch] = useSearchParams();
  const planId = search.get('plan');
  return (
    <Page
      title="Break-glass"
      meta="For emergencies: executes a plan at once, without approval. An incident opens, and somebody else reviews it."
    >
      {planId === null ? (
        <ChoosePlan
          onChoose={(id) => {
            setSearch({ plan: id });
          }}
        />
      ) : (
        <CountFolds key={planId}>
          <Invoke
            planId={planId}
            onBack={() => {
              setSearch({});
            }}
          />
        </CountFolds>
      )}
    </Page>
  );
}

function Invoke({ planId, onBack }: { readonly planId: string; readonly onBack: () => void }) {
  const availability = useAvailability(planId);
  const plan = usePlan(planId);
  if (availability.isLoadingError || plan.isLoadingError)
    return <ErrorNote error={availability.error ?? plan.error} retry={() => void availability.refetch()} />;
  if (availability.data === undefined || plan.data === undefined) return <SkeletonRows />;
  const { available, allowed_roles: roles, notified } = availability.data;
  return (
    <div className="flex flex-col gap-4">
      {!available && <Unavailable availability={availability.data} />}
      <Card
        title="The plan"
        actions={
          <Button size="sm" onClick={onBack}>
            Choose another
          </Button>
        }
      >
        <Headline headline={plan.data.headline} />
        <TaskGoal id={plan.data.task_id} />
        <div className="mt-3">
          <Facts
            facts={[
              ['Status', <StateBadge key="status" state={availability.data.plan_status} />],
              [
                'Risk',
                plan.data.plan_risk === null ? 'not known' : <RiskBadge key="risk" level={plan.data.plan_risk} />,
              ],
              ['Environment', <TaskEnvironment key="environment" id={plan.data.task_id} />],
              ['Who may', roles.length === 0 ? 'nobody' : roles.join(', ')],
              ['Notified', <Notified key="notified" notified={notified} />],
              [
                'Plan',
                <Link key="plan" to={`/plans/${planId}`} className="text-accent underline">
                  everything about the plan
                </Link>,
              ],
            ]}
          />
        </div>
      </Card>
      {plan.data.description !== null && (
        <Card title="What is done" flush>
          <WhatIsDone description={plan.data.description} />
        </Card>
      )}
      {available && !availability.data.second_factor_enrolled && (
        <p role="alert" className="rounded-xl border border-line bg-warn-soft p-4 text-sm">
          Break-glass needs a second factor, and you have none yet.{' '}
          <Link
            to={`/settings/factors?return_to=${encodeURIComponent(`/break-glass?plan=${planId}`)}`}
            className="text-accent underline"
          >
            Set one up first
          </Link>
          .
        </p>
      )}
      {available && <Form availability={availability.data} />}
    </div>
  );
}

function Form({ availability }: { readonly availability: BreakGlassAvailabilityView }) {
  const navigate = useNavigate();
  const [justification, setJustification] = useState('');
  const [sure, setSure] = useState(false);
  const [proving, setProving] = useState(false);
  const { closed } = useFolds();
  const { plan_id: planId } = availability;
  // The reader read the plan of this digest, even if the plan changes behind the form.
  const [planDigest] = useState(availability.plan_digest);
  const operation = { plan_id: planId, plan_digest: planDigest, justification: justification.trim() };
  const invoke = useMutation({
    mutationFn: (stepUpId: string) => api.post('/v1/break-glass', { body: { ...operation, step_up_id: stepUpId } }),
    onSuccess: ({ incident_id: incidentId }) => navigate(`/incidents/${incidentId}`),
    // The proof is spent. The API may have refused the justification, so the form stays open for a change.
    onError: () => {
      setProving(false);
    },
  });
  const check = useMutation({
    mutationFn: () =>
      api.post('/v1/break-glass/availability', {
        body: {
          plan_id: planId,
          justification: operation.justification,
        },
      }),
    onSuccess: ({ available }) => {
      setProving(available);
    },
  });
  return (
    <section aria-labelledby="break" className="rounded-xl border-2 border-danger bg-surface">
      <h2
        id="break"
        className="flex items-center gap-2 rounded-t-lg bg-danger px-4 py-3 text-base font-semibold text-danger-ink"
      >
        <Siren aria-hidden className="size-5" /> This executes at once, without anybody’s approval
      </h2>
      <div className="p-4">
        {proving ? (
          <div className="flex flex-col gap-4">
            <p className="text-sm whitespace-pre-wrap">
              <InertText text={operation.justification} />
            </p>
            <StepUpForm
              operation={{ kind: 'break_glass', ...operation }}
              busy={invoke.isPending || invoke.isSuccess}
              onProved={(stepUpId) => {
                invoke.mutate(stepUpId);
              }}
            />
            <div>
              <Button
                size="sm"
                look="quiet"
                onClick={() => {
                  setProving(false);
                }}
              >
                Back to the justification
              </Button>
            </div>
          </div>
        ) : (
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              invoke.reset();
              check.mutate();
            }}
          >
            <ul className="list-disc pl-5 text-sm">
              <li>Approval, autonomy mode, freezes and simulation are passed over. Safety rules and locks are not.</li>
              <li>An open request for this plan is voided.</li>
              <li>An incident opens, and the people above are notified. Somebody else reviews what you did.</li>
            </ul>
            <Field
              label="Why this cannot wait"
              hint={`At least ${String(SHORTEST)} characters. Repeated words or letters don’t count. The incident keeps it for good.`}
            >
              {(control) => (
                <textarea
                  {...control}
                  rows={4}
                  required
                  minLength={SHORTEST}
                  maxLength={4_000}
                  value={justification}
                  onChange={(event) => {
                    setJustification(event.target.value);
                  }}
                />
              )}
            </Field>
            <label className="flex items-start gap-2 text-sm">
              <input
                type="checkbox"
                required
                className="mt-1"
                checked={sure}
                onChange={(event) => {
                  setSure(event.target.checked);
                }}
              />
              I have read the plan, it is an emergency, and I answer for it.
            </label>
            {(invoke.error ?? check.error) !== null && <ErrorNote error={invoke.error ?? check.error} />}
            {check.data?.available === false && <Unavailable availability={check.data} />}
            <div>
              {closed > 0 && <OpenFolds />}
              <Button
                type="submit"
                look="danger"
                busy={check.isPending}
                disabled={!sure || closed > 0 || justification.trim().length < SHORTEST}
              >
                Continue to the second factor
              </Button>
            </div>
          </form>
        )}
      </div>
    </section>
  );
}
