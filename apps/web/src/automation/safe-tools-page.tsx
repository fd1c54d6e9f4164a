import { useQuery } from '@tanstack/react-query';
import { Wrench } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { SafeToolsView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { useEnvironments } from '../api/environments.js';
import { queryOf } from '../api/query.js';
import { useBarredFromAdministering } from '../api/roles.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Empty } from '../components/empty.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { Page } from '../components/page.js';
import { SkeletonRows } from '../components/skeleton.js';
import { PageList } from '../components/page-list.js';
import { useChange } from '../settings/use-change.js';
import { WaitsNote } from '../settings/waits-note.js';
import { useFilters } from '../components/use-filters.js';
import { AutomationTabs } from './automation-tabs.js';
import { SafeList } from './safe-list.js';

type TieredTool = SafeToolsView['items'][number];

const FILTERS = ['search', 'environment'] as const;
const keyOf = ({ tool }: TieredTool): string => tool;

/** The tools that automations may call, and why they may not call the others. */
export function Component() {
  const { values, set } = useFilters(FILTERS);
  const environments = [...useEnvironments().values()];
  const { environment: named = '' } = values;
  const usual = environments.find(({ production }) => !production) ?? environments[0];
  const chosen = named === '' ? usual?.name : named;
  const [search, setSearch] = useState(values.search ?? '');
  return (
    <Page
      title="Automations"
      meta="An automation calls a tool only if policies allow it at that moment. There is no override."
    >
      <AutomationTabs />
      <div className="flex flex-col gap-4">
        <SafeList />
        <div className="flex flex-wrap items-end gap-4">
          <div className="min-w-60 flex-1">
            <Field label="Search">
              {(control) => (
                <input
                  {...control}
                  type="search"
                  value={search}
                  onChange={(event) => {
                    setSearch(event.target.value);
                    set('search', event.target.value);
                  }}
                />
              )}
            </Field>
          </div>
          <Field label="Environment">
            {(control) => (
              <select
                {...control}
                value={chosen ?? ''}
                onChange={(event) => {
                  set('environment', event.target.value);
                }}
              >
                {environments.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </Field>
        </div>
        {chosen !== undefined && <Tools environment={chosen} search={search.toLowerCase()} />}
      </div>
    </Page>
  );
}

function Tools({ environment, search }: { readonly environment: string; readonly search: string }) {
  const found = useQuery(queryOf('/v1/automations/safe-tools', { query: { environment } }));
  const shown = useMemo(
    () => (found.data?.items ?? []).filter(({ tool }) => tool.toLowerCase().includes(search)),
    [found.data, search],
  );
  return (
    <Card title={`Tools in ${environment}`} flush>
      {found.isPending && <SkeletonRows rows={6} className="h-16" />}
      {found.error !== null && (
        <div className="p-4">
          <ErrorNote error={found.error} retry={() => void found.refetch()} />
        </div>
      )}
      {found.data !== undefined && shown.length === 0 && (
        <Empty icon={<Wrench aria-hidden />} title={search === '' ? 'No tools yet' : 'Nothing matches'}>
          {search === '' ? (
            <>
              An admin describes them in the{' '}
              <Link to="/configuration/tools" className="text-accent underline">
                catalog
              </Link>
              .
            </>
          ) : (
            'Search for something shorter.'
          )}
        </Empty>
      )}
      {shown.length > 0 && (
        <PageList rows={shown} label="Tools" estimate={76} keyOf={keyOf}>
          {(tool) => <ToolRow tool={tool} />}
        </PageList>
      )}
    </Card>
  );
}

/** The reason that an entry of the safe list would take away. */
const NOT_LISTED = 'automation.not_safe';

function ToolRow({ tool: { tool, version, tier, safe, reasons } }: { readonly tool: TieredTool }) {
  const listable = reasons.some(({ code }) => code === NOT_LISTED);
  return (
    <div className="flex flex-col gap-1.5 px-4 py-3 text-sm">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to={`/tools/${encodeURIComponent(tool)}`}
          className="font-mono font-medium break-all text-accent underline"
        >
          <InertText text={tool} />
        </Link>
        <Badge tone={safe ? 'good' : 'bad'}>{safe ? 'automations may call it' : 'blocked'}</Badge>
        <Badge>{tier}</Badge>
        <span className="text-muted">version {version}</span>
      </span>
      {reasons.map(({ code, message }) => (
        <span key={code + message} className="break-words text-muted">
          <InertText text={message} />
        </span>
      ))}
      {listable && <Accept tool={tool} version={version} />}
    </div>
  );
}

function Accept({ tool, version }: { readonly tool: string; readonly version: number }) {
  const barred = useBarredFromAdministering('changes the list');
  const accept = useChange(
    () => api.put('/v1/automation-safe-list/{name}', { path: { name: tool }, body: { version } }),
    '/v1/automation-safe-list',
    '/v1/automations/safe-tools',
    '/v1/change-requests',
  );
  if (barred !== null) return null;
  return (
    <div className="flex flex-col items-start gap-2">
      {accept.data === undefined && (
        <Button
          size="sm"
          aria-label={`Put version ${String(version)} on the list: ${tool}`}
          busy={accept.isPending}
          onClick={() => {
            accept.mutate(undefined);
          }}
        >
          Put version {version} on the list
        </Button>
      )}
      <WaitsNote answer={accept.data} />
      {accept.error !== null && <ErrorNote error={accept.error} />}
    </div>
  );
}
