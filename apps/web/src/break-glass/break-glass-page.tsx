import { useMutation, useQuery } from '@tanstack/react-query';
import { ShieldAlert, Siren } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { BreakGlassAvailabilityView, BreakGlassInvokedView, PlanView } from '#lib/contracts';
import { api } from '../api/client.js';
import { useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { usePlan } from '../api/plans.js';
import { useSignedIn } from '../api/session.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Empty } from '../components/empty.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { Field } from '../components/field.js';
import { Page } from '../components/page.js';
import { SkeletonRows } from '../components/skeleton.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';
import { StepUpForm } from '../step-up/step-up-form.js';
import { TaskEnvironment, TaskGoal } from '../task/task-heading.js';
import { WhoIsTold } from './who-is-told.js';

const SHORTEST = 20;
const STATUSES = ['awaiting_approval', 'simulated', 'validated'] as const;

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
        <Invoke
          planId={planId}
          onBack={() => {
            setSearch({});
          }}
        />
      )}
    </Page>
  );
}

function ChoosePlan({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const lists = [
    usePaged<PlanView>('plans', '/v1/plans', { status: STATUSES[0] }),
    usePaged<PlanView>('plans', '/v1/plans', { status: STATUSES[1] }),
    usePaged<PlanView>('plans', '/v1/plans', { status: STATUSES[2] }),
  ];
  const plans = lists.flatMap(({ items }) => items);
  const error = lists.find((list) => list.error !== null)?.error ?? null;
  const pending = lists.some(({ isPending }) => isPending);
  // Whether it is switched on, and for whom, is the same for all of them.
  const availability = useAvailability(plans[0]?.id);
  if (availability.isLoading || (pending && plans.length === 0)) return <SkeletonRows rows={3} />;
  if (availability.data !== undefined && isClosed(availability.data))
    return <Unavailable availability={availability.data} />;
  return (
    <Card title="Which plan?" flush>
      {error !== null && (
        <div className="p-4">
          <ErrorNote error={error} />
        </div>
      )}
      {!pending && error === null && plans.length === 0 && (
        <Empty icon={<ShieldAlert aria-hidden />} title="No plan that could be executed">
          It takes a plan that is validated, simulated or awaiting approval. Have one submitted first: what is executed
          in an emergency is a plan, too.
        </Empty>
      )}
      <ul>
        {plans.map((plan) => (
          <li key={plan.id} className="border-b border-line last:border-0">
            <button
              type="button"
              className="w-full px-4 py-3 text-left hover:bg-sunken"
              onClick={() => {
                onChoose(plan.id);
              }}
            >
              <TaskGoal id={plan.task_id} />
              <span className="mt-1 flex flex-wrap items-center gap-3 text-sm text-muted">
                <StateBadge state={plan.status} />
                <TaskEnvironment id={plan.task_id} />
                <TimeAgo at={plan.created_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Invoke({ planId, onBack }: { readonly planId: string; readonly onBack: () => void }) {
  const availability = useAvailability(planId);
  const plan = usePlan(planId);
  if (availability.error !== null || plan.error !== null)
    return <ErrorNote error={availability.error ?? plan.error} retry={() => void availability.refetch()} />;
  if (availability.data === undefined || plan.data === undefined) return <SkeletonRows />;
  const { available, allowed_roles: roles, told } = availability.data;
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="The plan"
        actions={
          <Button size="sm" onClick={onBack}>
            Choose another
          </Button>
        }
      >
        <TaskGoal id={plan.data.task_id} />
        <div className="mt-3">
          <Facts
            facts={[
              ['Status', <StateBadge key="status" state={availability.data.plan_status} />],
              ['Environment', <TaskEnvironment key="environment" id={plan.data.task_id} />],
              ['Who may', roles.length === 0 ? 'nobody' : roles.join(', ')],
              ['Who is told', <WhoIsTold key="told" told={told} />],
              [
                'Plan',
                <Link key="plan" to={`/plans/${planId}`} className="text-accent underline">
                  read every step first
                </Link>,
              ],
            ]}
          />
        </div>
      </Card>
      {available && !availability.data.second_factor_enrolled && (
        <p role="alert" className="rounded-xl border border-line bg-warn-soft p-4 text-sm">
          It takes a second factor, and you have none yet.{' '}
          <Link to="/settings/factors" className="text-accent underline">
            Set one up first
          </Link>
          .
        </p>
      )}
      {available ? <Form availability={availability.data} /> : <Unavailable availability={availability.data} />}
    </div>
  );
}

const useAvailability = (planId: string | undefined) =>
  useQuery({
    queryKey: ['plans', 'break-glass', planId],
    enabled: planId !== undefined,
    queryFn: () => api.get<BreakGlassAvailabilityView>('/v1/break-glass/availability', { plan_id: planId }),
  });

const ROLE = 'break_glass.role';
/** What closes break-glass to somebody whatever the plan is. */
const isClosed = ({ enabled, reasons }: BreakGlassAvailabilityView): boolean =>
  !enabled || reasons.some(({ code }) => code === ROLE);

function Unavailable({ availability }: { readonly availability: BreakGlassAvailabilityView }) {
  const { enabled, reasons, allowed_roles: roles } = availability;
  // Said below in full, with what to do about them.
  const others = reasons.filter(({ code }) => code !== ROLE && code !== 'break_glass.disabled');
  return (
    <div role="alert" className="rounded-xl border border-line bg-warn-soft p-4 text-sm">
      <p className="font-semibold">
        {enabled ? 'You cannot break the glass now.' : 'Break-glass is switched off here.'}
      </p>
      {!enabled && <SwitchedOff />}
      {enabled && reasons.some(({ code }) => code === ROLE) && <WrongRole allowed={roles} />}
      {others.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {others.map(({ code, message, rule }) => (
            <li key={rule + code}>
              {message} <code className="font-mono text-xs text-muted">{code}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const named = (names: readonly string[]): string => (names.length === 0 ? '' : ` (${names.join(', ')})`);

function SwitchedOff() {
  const { holdersOf } = useDirectory();
  return (
    <p className="mt-1">
      A PlatformAdmin
      <InertText text={named(holdersOf('PlatformAdmin'))} /> switches it on in the{' '}
      <Link to="/autonomy" className="text-accent underline">
        autonomy document
      </Link>
      , under <code className="font-mono text-xs">emergency_override</code>; it loosens the gate, so a second one
      confirms it. Until then a plan takes its approvals.
    </p>
  );
}

function WrongRole({ allowed }: { readonly allowed: readonly string[] }) {
  const { person } = useSignedIn();
  const { holdersOf } = useDirectory();
  return (
    <p className="mt-1">
      {person.roles.length === 0 ? 'You hold no role' : `You are ${person.roles.join(', ')}`}; breaking the glass takes{' '}
      {allowed.length === 0 ? 'a role, and none is named' : allowed.join(' or ')}
      <InertText text={named([...new Set(allowed.flatMap((role) => holdersOf(role)))])} />. Ask one of them, or a
      PlatformAdmin for the role.
    </p>
  );
}

function Form({ availability }: { readonly availability: BreakGlassAvailabilityView }) {
  const navigate = useNavigate();
  const [justification, setJustification] = useState('');
  const [sure, setSure] = useState(false);
  const [proving, setProving] = useState(false);
  const { plan_id: planId } = availability;
  // A plan that changes behind the form is not what was read.
  const [planDigest] = useState(availability.plan_digest);
  const operation = { plan_id: planId, plan_digest: planDigest, justification: justification.trim() };
  const invoke = useMutation({
    mutationFn: (stepUpId: string) =>
      api.post<BreakGlassInvokedView>('/v1/break-glass', { ...operation, step_up_id: stepUpId }),
    onSuccess: ({ incident_id: incidentId }) => navigate(`/incidents/${incidentId}`),
    // The proof is spent, and what was refused may be the justification: it is there to be changed.
    onError: () => {
      setProving(false);
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
              setProving(true);
            }}
          >
            <ul className="list-disc pl-5 text-sm">
              <li>Approval, autonomy mode, freezes and simulation are passed over. Safety rules and locks are not.</li>
              <li>An open request for this plan is voided.</li>
              <li>An incident opens and is told as said above. Somebody else reviews what you did.</li>
            </ul>
            <Field
              label="Why this cannot wait"
              hint={`At least ${String(SHORTEST)} characters that say something; it stands in the incident for good.`}
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
            {invoke.error !== null && <ErrorNote error={invoke.error} />}
            <div>
              <Button type="submit" look="danger" disabled={!sure || justification.trim().length < SHORTEST}>
                Go on to the second factor
              </Button>
            </div>
          </form>
        )}
      </div>
    </section>
  );
}
