import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { ExplainedTaskView } from '#lib/api-schemas';
import { minutesInWords } from '#lib/words';
import { queryOf } from '../api/query.js';
import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { useTask } from '../api/tasks.js';
import { AgentText, InertText } from '../components/agent-text.js';
import { Card } from '../components/card.js';
import { DecisionExplained } from '../components/decision-explained.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { RiskBadge } from '../components/risk-badge.js';
import { Skeleton } from '../components/skeleton.js';
import { StateBadge } from '../components/state-badge.js';
import { Targets } from '../components/targets.js';
import { TimeAgo, Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { ChangesAskedOfTask } from '../conversation/changes-asked.js';
import { storyOf } from './task-story.js';

/** A task's whole story on one page. */
export function Component() {
  const { id = '' } = useParams();
  const task = useTask(id);
  const plans = useQuery(queryOf('/v1/tasks/{id}/plans', { path: { id }, query: { limit: 200 } }));
  const requests = useQuery(queryOf('/v1/approval-requests', { query: { task_id: id, limit: 200 } }));
  const runs = useQuery(queryOf('/v1/runs', { query: { task_id: id, limit: 200 } }));
  const failed = [task, plans, requests, runs].find((query) => query.isLoadingError);
  if (failed !== undefined)
    return (
      <PageError
        title="Task"
        error={failed.error}
        retry={() => void task.refetch()}
        list={{ path: '/tasks', name: 'Tasks' }}
      />
    );
  if (task.data === undefined || plans.data === undefined || requests.data === undefined || runs.data === undefined)
    return (
      <Page title="Task">
        <div role="status" aria-label="Loading">
          <Skeleton className="h-96" />
        </div>
      </Page>
    );
  const story = { task: task.data, plans: plans.data.items, requests: requests.data.items, runs: runs.data.items };
  return <Task task={task.data} chapters={storyOf(story)} />;
}

function Task({ task, chapters }: { readonly task: ExplainedTaskView; readonly chapters: ReturnType<typeof storyOf> }) {
  const { nameOf } = useDirectory();
  const environments = useEnvironments();
  const { spec } = task;
  const by = nameOf(task.submitted_by);
  return (
    <Page
      title={task.headline ?? `${inWords(spec.task_type)} in ${spec.environment}, without a valid plan yet`}
      eyebrow={<Link to="/tasks">Tasks</Link>}
      meta={
        <>
          <StateBadge state={task.state} />
          {task.plan_risk !== null && <RiskBadge level={task.plan_risk} />}
          <EnvironmentLabel
            name={spec.environment}
            production={environments.get(spec.environment)?.production ?? false}
          />
          <span>
            submitted by <InertText text={by} />, <TimeAgo at={task.created_at} />
          </span>
        </>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <ChangesAskedOfTask taskId={task.id} />
          <AgentText by={by} text={spec.goal} />
          <Card title="History">
            <ol className="flex flex-col gap-4">
              {chapters.map(({ at, title, state, path, detail }) => (
                <li key={at + title} className="grid gap-x-4 gap-y-0.5 md:grid-cols-[12rem_1fr]">
                  <span className="text-sm text-muted">
                    <Timestamp at={at} />
                  </span>
                  <div>
                    <p className="flex flex-wrap items-center gap-2">
                      {path === null ? (
                        <span className="font-medium">{title}</span>
                      ) : (
                        <Link to={path} className="font-medium text-accent underline">
                          {title}
                        </Link>
                      )}
                      <StateBadge state={state} />
                    </p>
                    {detail !== null && (
                      <p className="text-sm text-muted">
                        <InertText text={detail} />
                      </p>
                    )}
                  </div>
                </li>
              ))}
            </ol>
          </Card>
        </div>
        <div className="flex flex-col gap-6">
          <Card title="Limits set by the task">
            <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
              <dt className="text-muted">To decide</dt>
              <dd>{minutesInWords(spec.timeout_minutes)}</dd>
              <dt className="text-muted">Canary</dt>
              <dd>{spec.constraints?.canary_required === true ? 'required' : 'as policy says'}</dd>
              <dt className="text-muted">Largest batch</dt>
              <dd>
                {spec.constraints?.max_batch_percent === undefined
                  ? 'as policy says'
                  : `${String(spec.constraints.max_batch_percent)} %`}
              </dd>
              {spec.constraints?.rollback_trigger !== undefined && (
                <>
                  <dt className="text-muted">Rolls back if</dt>
                  <dd className="font-mono text-xs leading-5">{spec.constraints.rollback_trigger}</dd>
                </>
              )}
              {spec.agent !== undefined && (
                <>
                  <dt className="text-muted">Model</dt>
                  <dd>
                    <InertText text={`${spec.agent.model} ${spec.agent.version}`} />
                  </dd>
                </>
              )}
            </dl>
            {spec.scope?.targets !== undefined && (
              <div className="mt-3">
                <Targets names={spec.scope.targets} />
              </div>
            )}
          </Card>
          {task.explanation !== null && (
            <Card title="Latest decision">
              <DecisionExplained
                decision={task.explanation.decision}
                line={task.explanation.autonomy_line}
                decisionId={task.explanation.decision_id}
              />
            </Card>
          )}
        </div>
      </div>
    </Page>
  );
}
