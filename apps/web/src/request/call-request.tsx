import type { CallRequestDetailView } from '#lib/api-schemas';
import { useDirectory } from '../api/directory.js';
import { AgentText, InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Facts } from '../components/facts.js';
import { JsonValue } from '../components/json-value.js';
import { AskedBy, RequestFrame } from './request-frame.js';

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
            ...Object.entries(call.arguments).map(([name, value]) => [name, <JsonValue value={value} />] as const),
            ['Targets', call.targets.length === 0 ? null : <InertText text={call.targets.join(', ')} />],
          ]}
        />
      </Card>
      {call.said_by_the_requester !== null && (
        <AgentText by={nameOf(request.requester)} text={call.said_by_the_requester.reason} trust="the call" />
      )}
    </RequestFrame>
  );
}
