import type { WebhookDetailView } from '#lib/api-schemas';
import { Badge } from '../components/badge.js';
import { TimeAgo } from '../components/times.js';

const OFF: Readonly<Record<NonNullable<WebhookDetailView['off_reason']>, string>> = {
  person: 'a person switched it off',
  gone: 'its receiver answered that it is gone (410)',
  failing: 'it failed for three days',
};

/** Whether events are sent to a webhook, and why not. */
export function WebhookState({ webhook }: { readonly webhook: WebhookDetailView }) {
  const { enabled, off_reason: reason, failing_since: failing, secrets } = webhook;
  if (!enabled)
    return (
      <>
        <Badge tone={reason === 'person' ? 'neutral' : 'bad'}>switched off</Badge>
        {reason !== null && <span>{OFF[reason]}</span>}
      </>
    );
  if (secrets.length === 0) return <Badge tone="warn">waits for its secret</Badge>;
  if (failing === null) return <Badge tone="good">on</Badge>;
  return (
    <>
      <Badge tone="bad">fails</Badge>
      <span>
        since <TimeAgo at={failing} />
      </span>
    </>
  );
}
