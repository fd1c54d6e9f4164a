import { useQuery } from '@tanstack/react-query';
import type { DestinationView, SlackSettingsView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { AskFirst } from '../components/ask-first.js';
import { useChange } from './use-change.js';

interface RemoveWorkspaceProps {
  readonly teamName: string;
  readonly settings: Pick<SlackSettingsView, 'channels' | 'on_duty'>;
}

/** Removes the Slack workspace, after it tells the consequences. */
export function RemoveWorkspace({ teamName, settings }: RemoveWorkspaceProps) {
  const remove = useChange(
    () => api.delete('/v1/slack/installation'),
    '/v1/slack',
    '/v1/incident-destinations',
    '/v1/set-up',
  );
  return (
    <AskFirst
      label="Remove…"
      title="Remove the Slack workspace"
      description={
        <>
          Countersign forgets <InertText text={teamName} /> and its bot’s token at once.
        </>
      }
      act="Remove the workspace"
      change={remove}
    >
      <GoesSilent settings={settings} />
    </AskFirst>
  );
}

function GoesSilent({ settings: { channels, on_duty: onDuty } }: Pick<RemoveWorkspaceProps, 'settings'>) {
  const found = useQuery(queryOf('/v1/incident-destinations'));
  const silent = found.data?.items.filter(goesSilent) ?? [];
  return (
    <ul aria-label="What goes silent" className="flex list-disc flex-col gap-1.5 pl-5 text-sm">
      <li>Requests, runs and incidents are no longer told in Slack, and nobody decides there.</li>
      {Object.entries(channels).map(([environment, channel]) => (
        <li key={environment}>
          <code className="font-mono text-xs">{channel}</code> no longer hears of{' '}
          {environment === '' ? 'every other environment' : <InertText text={environment} />}.
        </li>
      ))}
      {onDuty.length > 0 && <li>People on duty are no longer told directly in Slack.</li>}
      {silent.map(({ name }) => (
        <li key={name} className="font-medium text-bad">
          Incidents, break-glass and overdue reviews no longer reach <InertText text={name} />: it has no address
          outside Slack that answers.
        </li>
      ))}
      {found.error !== null && <li>The destinations of incidents could not be read: they may go silent, too.</li>}
      <li>
        Every PlatformAdmin and SecurityReviewer is told. Connecting a workspace again may wait for a second admin.
      </li>
    </ul>
  );
}

/** Whether only addresses in Slack may have answered. */
const goesSilent = ({ addresses }: DestinationView): boolean =>
  addresses.some(({ channel }) => channel === 'slack') &&
  !addresses.some(
    ({ channel, tested_at: testedAt, error }) => channel !== 'slack' && testedAt !== null && error === null,
  );
