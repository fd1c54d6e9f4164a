import { useMutation } from '@tanstack/react-query';
import type { SlackTestView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';

/** Asks Slack whether the bot can post in every channel, and shows the name of each. */
export function SlackTest() {
  const test = useMutation({ mutationFn: () => api.post('/v1/slack/test') });
  return (
    <div className="mt-3 flex flex-col items-start gap-2 text-sm">
      <Button
        size="sm"
        busy={test.isPending}
        onClick={() => {
          test.mutate();
        }}
      >
        Test the connection
      </Button>
      {test.error !== null && <ErrorNote error={test.error} />}
      {test.data !== undefined && <Tested test={test.data} />}
    </div>
  );
}

function Tested({ test: { team_name: team, problem, channels } }: { readonly test: SlackTestView }) {
  return (
    <div role="status" aria-label="What Slack says">
      <ul className="flex flex-col gap-1">
        <li>
          <Verdict problem={problem} /> {team !== null && <InertText text={team} />}
        </li>
        {problem === null && channels.length === 0 && <li className="text-muted">No channel is named below yet.</li>}
        {channels.map(({ environment, channel, name, problem: wrong }) => (
          <li key={environment}>
            <Verdict problem={wrong} /> {environment === '' ? 'Default channel' : `Channel of ${environment}`}:{' '}
            {name !== null && <InertText text={`#${name} `} />}
            <code className="font-mono text-xs">{channel}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Verdict({ problem }: { readonly problem: string | null }) {
  if (problem === null) return <Badge tone="good">works</Badge>;
  return (
    <>
      <Badge tone="bad">fails</Badge> <InertText text={problem} />
    </>
  );
}
