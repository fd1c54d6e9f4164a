import { useState } from 'react';
import manifest from '../../../../docs/slack-app-manifest.yaml?raw';
import { Button } from '../components/button.js';

/** The app manifest with the addresses of this installation, without the remarks on how to fill it in. */
const own = (): string =>
  manifest.replaceAll('https://countersign.example', location.origin).replaceAll(/^#.*\n/gm, '');

/** The manifest that Slack makes the app from, to be copied. */
export function SlackManifest() {
  const [said, setSaid] = useState('');
  const text = own();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied.');
    } catch {
      setSaid('The browser does not let it be copied: select the text below.');
    }
  };
  return (
    <div className="flex flex-col gap-3 text-sm">
      <ol className="list-decimal space-y-1 pl-5">
        <li>
          Copy the manifest. It holds this installation’s addresses, which Slack has to reach over https.{' '}
          {!text.includes('https://') && <strong>This one is served over http: Slack will not reach it.</strong>}
        </li>
        <li>
          At{' '}
          <a className="text-accent underline" href="https://api.slack.com/apps" target="_blank" rel="noreferrer">
            api.slack.com/apps
          </a>{' '}
          choose “Create New App”, then “From a manifest”, and paste it.
        </li>
        <li>Enter what Slack then shows under “Basic information” below.</li>
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => void copy()}>Copy the manifest</Button>
        <span role="status">{said}</span>
      </div>
      <details>
        <summary className="cursor-pointer text-muted">Show it</summary>
        <pre
          tabIndex={0}
          aria-label="App manifest"
          className="mt-2 max-h-72 overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs leading-5"
        >
          {text}
        </pre>
      </details>
    </div>
  );
}
