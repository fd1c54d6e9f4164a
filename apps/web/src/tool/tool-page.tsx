import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { ToolView } from '#lib/api-schemas';
import { toolRiskInWords } from '#lib/words';
import { queryOf } from '../api/query.js';
import { useEnvironments } from '../api/environments.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { DataTable } from '../components/data-table.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { Facts } from '../components/facts.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { RiskBadge } from '../components/risk-badge.js';
import { SkeletonRows } from '../components/skeleton.js';
import { Timestamp } from '../components/times.js';

/** One tool: its classification, its parameters, its executors, and its versions. */
export function Component() {
  const { name = '' } = useParams();
  const history = useQuery(queryOf('/v1/tools/{name}', { path: { name } }));
  const current = history.data?.versions[0];
  if (history.data !== undefined && current !== undefined)
    return <Shown tool={current} removed={history.data.removed} versions={history.data.versions} />;
  if (history.error !== null)
    return (
      <PageError
        title="Tool"
        error={history.error}
        retry={() => void history.refetch()}
        list={{ path: '/tools', name: 'Tools' }}
      />
    );
  return (
    <Page title={name}>
      <SkeletonRows />
    </Page>
  );
}

interface ShownProps {
  readonly tool: ToolView;
  readonly removed: boolean;
  readonly versions: readonly ToolView[];
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

function Shown({ tool: { name, version, level, definition }, removed, versions }: ShownProps) {
  return (
    <Page
      eyebrow={<Link to="/tools">Tools</Link>}
      title={name}
      meta={
        <>
          <RiskBadge level={level} />
          <Badge>{toolRiskInWords(definition.risk)}</Badge>
          <Badge>version {version}</Badge>
          {removed && <Badge tone="bad">removed</Badge>}
        </>
      }
    >
      <div className="grid gap-4 grid-cols-1 lg:grid-cols-2">
        <Card title="What it is">
          <p className="mb-4">
            <InertText text={definition.description} />
          </p>
          <Facts
            facts={[
              ['Effect', definition.effect],
              ['Surface', definition.surface],
              ['Scope', definition.scope],
              ['Idempotent', yesNo(definition.idempotent)],
              ['Needs a plan', yesNo(definition.requires_plan)],
              ['Needs a person', definition.requires_hitl],
              [
                'Simulated by',
                definition.simulated_by === null ? (
                  definition.simulation === 'not_applicable' ? (
                    'nothing: it is approved without a simulation'
                  ) : (
                    'nothing'
                  )
                ) : (
                  <Link
                    key="simulated"
                    to={`/tools/${encodeURIComponent(definition.simulated_by)}`}
                    className="text-accent underline"
                  >
                    {definition.simulated_by}
                  </Link>
                ),
              ],
              ...(definition.simulation_secrets === true
                ? [['Its simulation is given secrets', 'yes, before anybody approves'] as const]
                : []),
              ['Canary', yesNo(definition.canary)],
              ['Names what it touches in', definition.identity_fields.join(', ') || 'nothing'],
              ...(definition.shell === undefined
                ? []
                : [['Command line', `${definition.shell.argument}, read by ${definition.shell.shell}`] as const]),
              ...(definition.path_arguments === undefined
                ? []
                : [
                    ['Reads the paths in', definition.path_arguments.reads.join(', ') || 'nothing'] as const,
                    ['Writes the paths in', definition.path_arguments.writes.join(', ') || 'nothing'] as const,
                  ]),
              ['Time limit', `${String(definition.time_limit_seconds)} s`],
            ]}
          />
        </Card>
        <Card title="What it takes">
          <pre
            tabIndex={0}
            aria-label="JSON Schema of its parameters"
            className="max-h-96 overflow-auto font-mono text-xs leading-5"
          >
            <InertText text={JSON.stringify(definition.parameters, null, 2)} />
          </pre>
        </Card>
        <Executors name={definition.executor} />
        <Card title="Versions" flush className="lg:col-span-2">
          <DataTable
            label="Versions"
            columns={['Version', 'Risk', 'Level', 'Since', 'Digest']}
            rows={versions.map((each) => ({
              key: each.id,
              cells: [
                String(each.version),
                toolRiskInWords(each.definition.risk),
                each.level,
                <Timestamp key="since" at={each.created_at} />,
                <code key="digest" className="font-mono text-xs">
                  {each.digest.slice(0, 19)}…
                </code>,
              ],
            }))}
          />
        </Card>
      </div>
    </Page>
  );
}

/** The destination of its calls, environment by environment. */
function Executors({ name }: { readonly name: string }) {
  const environments = [...useEnvironments().values()];
  const answers = useQueries({
    queries: environments.map(({ name: environment }) =>
      queryOf('/v1/environments/{environment}/executors', { path: { environment } }),
    ),
  });
  return (
    <Card title={`Executor ${name}`} flush className="lg:col-span-2">
      <DataTable
        label="Executors by environment"
        columns={['Environment', 'Kind', 'Address', 'Secret']}
        rows={environments.map((environment, index) => {
          const executor = answers[index]?.data?.executors.find((each) => each.name === name);
          return {
            key: environment.name,
            cells: [
              <EnvironmentLabel key="environment" {...environment} />,
              executor?.kind ?? <span className="text-muted">none: calls are refused</span>,
              executor === undefined ? '' : <InertText key="url" text={executor.destination} />,
              executor?.secret ?? '',
            ],
          };
        })}
      />
    </Card>
  );
}
