import { useState } from 'react';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { NotSubscribed, pushAbility, subscribeThisBrowser, type PushAbility } from './push-of-browser.js';
import { useChange } from './use-change.js';

const UNABLE: Readonly<Record<Exclude<PushAbility, 'able'>, readonly [what: string, action: string]>> = {
  denied: [
    'This browser was told not to show notifications of this site.',
    'Allow them in the browser’s settings (beside the address), and reload this page.',
  ],
  insecure: [
    'Browsers show notifications of sites with https only.',
    'Open Countersign under its https address; the person who runs it knows the address.',
  ],
  unsupported: [
    'This browser has no notifications for sites.',
    'Use a current Chrome, Edge, Firefox or Safari, outside of a private window. Slack and e-mail reach you anyway.',
  ],
};

/** Subscribes this browser to notifications, or shows the obstacle. */
export function ThisBrowser() {
  const [ability, setAbility] = useState(pushAbility);
  const subscribe = useChange(() => subscribeThisBrowser(), '/v1/push-subscriptions');
  if (ability !== 'able') {
    const [what, action] = UNABLE[ability];
    return (
      <p className="text-sm">
        {what} <span className="text-muted">{action}</span>
      </p>
    );
  }
  const { error } = subscribe;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-muted">
        A notification says what waits, also while no page is open. It leads to the request; nothing is decided in it.
      </p>
      {error instanceof NotSubscribed ? (
        <p role="alert" className="rounded-lg bg-warn-soft p-3 text-sm">
          {error.what} <span className="text-muted">{error.action}</span>
        </p>
      ) : (
        error !== null && <ErrorNote error={error} />
      )}
      <div>
        <Button
          look="primary"
          busy={subscribe.isPending}
          onClick={() => {
            subscribe.mutate(undefined, { onError: () => setAbility(pushAbility()) });
          }}
        >
          Notify this browser
        </Button>
      </div>
    </div>
  );
}
