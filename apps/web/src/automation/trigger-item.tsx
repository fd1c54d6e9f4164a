import { useQuery } from '@tanstack/react-query';
import type { ReadAutomationView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { variantsOf, type Schema } from '../components/complete-from-schema.js';
import { Facts } from '../components/facts.js';
import { JsonValue } from '../components/json-value.js';
import { inWords } from '../components/tone-of.js';
import { memberText } from './member-text.js';

export type Trigger = NonNullable<ReadAutomationView['reading']>['triggers'][number];

/** The words of the API's schema about a kind of trigger: "At times of a schedule." */
function useKindWords(kind: string): string | undefined {
  const { data } = useQuery({
    ...queryOf('/v1/schemas/{name}', { path: { name: 'automation' } }),
    staleTime: Infinity,
  });
  // The answer is a JSON Schema.
  const root = data as Schema | undefined;
  if (root === undefined) return undefined;
  const kinds = variantsOf(root, root)
    .flatMap((document) => variantsOf(root, document.properties?.triggers))
    .flatMap(({ properties }) => properties?.type ?? []);
  return kinds.find((type) => type.const === kind)?.description?.replaceAll('`', '');
}

/** One trigger: a schedule in a line, and every other kind by its members. */
export function TriggerItem({ trigger: { type, ...members } }: { readonly trigger: Trigger }) {
  const kind = memberText(type);
  const words = useKindWords(kind);
  return (
    <li className="flex flex-col gap-1.5 border-b border-line px-4 py-3 text-sm last:border-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone="info">{kind === 'cron' ? 'schedule' : inWords(kind)}</Badge>
        {words !== undefined && kind !== 'cron' && <span className="text-muted">{words}</span>}
      </span>
      {kind === 'cron' ? <Schedule members={members} /> : <Members members={members} />}
    </li>
  );
}

function Members({ members }: { readonly members: Trigger }) {
  const shown = Object.entries(members).filter(([, value]) => !isEmpty(value));
  if (shown.length === 0) return null;
  return <Facts facts={shown.map(([name, value]) => [inWords(name), <JsonValue key={name} value={value} />])} />;
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function Schedule({ members }: { readonly members: Trigger }) {
  const { schedule, time_zone: zone, missed, ...others } = members;
  return (
    <>
      <p>
        <code className="font-mono font-medium">
          <InertText text={memberText(schedule)} />
        </code>{' '}
        <span className="text-muted">
          in <InertText text={memberText(zone)} />
        </span>
      </p>
      <p className="text-muted">
        {missed === 'run_once'
          ? 'If times were missed, it runs once for the latest of them.'
          : 'A missed time is left out.'}
      </p>
      {Object.keys(others).length > 0 && <Members members={others} />}
    </>
  );
}
