import { useQuery } from '@tanstack/react-query';
import type { CallRequestDetailView, ToolCallView } from '#lib/api-schemas';
import { useDirectory } from '../api/directory.js';
import { queryOf } from '../api/query.js';
import { AgentText, InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { JsonValue } from '../components/json-value.js';
import { StateBadge } from '../components/state-badge.js';
import { ShownLine } from '../what-is-done/shown-line.js';
import { CallResult } from '../session/call-result.js';
import { AskedBy, RequestFrame } from './request-frame.js';

/** The execution of a call that was allowed, or the reason why there is none. */
function Outcome({ id }: { readonly id: string }) {
  const call = useQuery(queryOf('/v1/tool-calls/{id}', { path: { id } }));
  return (
    <Card title="What came of it" actions={call.data !== undefined && <StateBadge state={call.data.outcome} />}>
      <div className="flex flex-col gap-3">
        {call.error !== null && <ErrorNote error={call.error} retry={() => void call.refetch()} />}
        {call.data?.execution === null && <p className="text-sm text-muted">{NOT_MADE[call.data.outcome]}</p>}
        {call.data !== undefined && (
          <CallResult
            id={id}
            made={call.data.execution !== null}
            near
            result={call.data.execution?.result ?? null}
            fault={call.data.execution?.error ?? call.data.denial}
          />
        )}
      </div>
    </Card>
  );
}

const NOT_MADE: Readonly<Partial<Record<ToolCallView['outcome'], string>>> = {
  allowed: 'It is allowed, and was not made yet.',
  denied: 'It was not made.',
  expired: 'It was allowed, and nobody made it in time.',
};

/** A request about a single call: all of the call, and its submitter's own words apart from it. */
export function CallRequest({ request }: { readonly request: CallRequestDetailView }) {
  const { nameOf } = useDirectory();
  const { call } = request;
  return (
    <RequestFrame
      request={request}
      title={call.impact}
      meta={
        <>
          <Badge tone="info">{call.category}</Badge>
          <AskedBy request={request} />
        </>
      }
    >
      <Card title="The call">
        <Facts
          facts={[
            ['Tool', <InertText text={`${call.tool}, version ${String(call.version)}`} />],
            ['Made by', call.executor === null ? 'the agent itself' : <InertText text={call.executor} />],
            ...Object.entries(call.arguments)
              .filter(([, value]) => value !== call.shell?.command)
              .map(([name, value]) => [name, <JsonValue value={value} />] as const),
            ['Targets', call.targets.length === 0 ? null : <InertText text={call.targets.join(', ')} />],
          ]}
        />
        {call.shell !== null && <ShownLine line={call.shell} />}
      </Card>
      {request.state === 'consumed' && <Outcome id={request.subject.id} />}
      {call.said_by_the_requester !== null && (
        <AgentText by={nameOf(request.requester)} text={call.said_by_the_requester.reason} trust="the call" />
      )}
    </RequestFrame>
  );
}
