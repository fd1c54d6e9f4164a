import { useQuery } from '@tanstack/react-query';
import { Wrench } from 'lucide-react';
import { Link } from 'react-router';
import { useMemo, useState } from 'react';
import type { ToolView } from '#lib/api-schemas';
import { toolRiskInWords } from '#lib/words';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { useSignedIn } from '../api/browser-session.js';
import { Badge } from '../components/badge.js';
import { buttonClass } from '../components/button.js';
import { Card } from '../components/card.js';
import { Empty } from '../components/empty.js';
import { ErrorNote } from '../components/error-note.js';
import { FilterField } from '../components/filter-field.js';
import { FilterSelect } from '../components/filter-select.js';
import { Page } from '../components/page.js';
import { RiskBadge } from '../components/risk-badge.js';
import { SkeletonRows } from '../components/skeleton.js';
import { useFilters } from '../components/use-filters.js';
import { PageList } from '../components/page-list.js';

const RISKS = ['read_only', 'plan_only', 'state_change_nonprod', 'state_change_prod'] as const;
const FILTERS = ['search', 'risk'] as const;

const keyOf = ({ name }: ToolView): string => name;

/** The registry: the tools that agents may call, with the risk of each. */
export function Component() {
  const admin = useSignedIn().person.roles.includes('PlatformAdmin');
  const { values, set } = useFilters(FILTERS);
  const tools = useQuery(queryOf('/v1/tools'));
  const { risk = '' } = values;
  // Typed faster than the address follows.
  const [search, setSearch] = useState(values.search ?? '');
  const shown = useMemo(
    () =>
      (tools.data?.tools ?? []).filter(
        ({ name, definition }) =>
          (risk === '' || definition.risk === risk) &&
          `${name} ${definition.description}`.toLowerCase().includes(search.toLowerCase()),
      ),
    [tools.data, search, risk],
  );
  return (
    <Page
      title="Tools"
      meta="What agents may ask for. A tool that is not here is denied."
      actions={
        admin && (
          <Link to="/configuration/tools" className={buttonClass('secondary')}>
            Edit the catalog
          </Link>
        )
      }
    >
      <div className="mb-4 grid grid-cols-2 gap-x-3.5 gap-y-3 md:flex md:flex-wrap md:items-center print:hidden">
        <FilterField label="Search">
          {(control) => (
            <input
              {...control}
              type="search"
              placeholder="a name or description"
              value={search}
              onChange={(event) => {
                setSearch(event.target.value);
                set('search', event.target.value);
              }}
            />
          )}
        </FilterField>
        <FilterSelect
          label="Risk"
          value={risk}
          values={RISKS.map((each) => [each, toolRiskInWords(each)] as const)}
          onChange={(value) => {
            set('risk', value);
          }}
        />
      </div>
      <Card flush>
        {tools.isPending && <SkeletonRows rows={8} className="h-16" />}
        {tools.error !== null && (
          <div className="p-4">
            <ErrorNote error={tools.error} retry={() => void tools.refetch()} />
          </div>
        )}
        {tools.data !== undefined && shown.length === 0 && (
          <Empty
            icon={<Wrench aria-hidden />}
            title={tools.data.tools.length === 0 ? 'No tools yet' : 'Nothing matches'}
          >
            {tools.data.tools.length === 0 ? (
              <>
                An admin describes them in YAML,{' '}
                <Link to="/configuration/tools" className="text-accent underline">
                  here
                </Link>{' '}
                or with <code className="font-mono">countersign apply</code>.
              </>
            ) : (
              'Search for something shorter, or take the filter away.'
            )}
          </Empty>
        )}
        {shown.length > 0 && (
          <PageList rows={shown} label="Tools" estimate={76} keyOf={keyOf}>
            {(tool) => (
              <Link
                to={`/tools/${encodeURIComponent(tool.name)}`}
                className="flex min-h-19 flex-col justify-center px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2"
              >
                <span className="flex flex-wrap items-center gap-2">
                  <span className="font-mono text-sm font-medium">{tool.name}</span>
                  <RiskBadge level={tool.level} />
                  <Badge>{toolRiskInWords(tool.definition.risk)}</Badge>
                  <Badge>{tool.definition.effect}</Badge>
                  <span className="text-sm text-muted">version {tool.version}</span>
                </span>
                <span className="mt-1 line-clamp-2 text-sm text-muted">
                  <InertText text={tool.definition.description} />
                </span>
              </Link>
            )}
          </PageList>
        )}
      </Card>
    </Page>
  );
}
