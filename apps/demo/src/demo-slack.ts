import { z } from 'zod';
import type { Player } from './cast.js';
import { OffScriptError, until, type Stage } from './stage.js';

/** The secrets of the demo's own Slack, which is on this machine alone. */
export interface SlackSecrets {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

const workspaceSchema = z.object({
  messages: z.array(z.object({ channel: z.string(), blocks: z.array(z.unknown()) })),
  ephemerals: z.array(z.looseObject({ user: z.string() })),
});
type Workspace = z.infer<typeof workspaceSchema>;

/** The users of people in the local Slack. */
const userOf = ({ name }: Pick<Player, 'name'>): string => `U0${name.toUpperCase()}`;

/** Sets up the tenant's Slack as docs/slack.md says: app, installation, channels, and people who link themselves. */
export async function openSlack(
  slackUrl: string,
  secrets: SlackSecrets,
  admin: Player,
  people: readonly Player[],
): Promise<void> {
  await admin.client.put('/v1/slack/app', {
    body: {
      client_id: secrets.clientId,
      client_secret: secrets.clientSecret,
      signing_secret: secrets.signingSecret,
    },
  });
  const { redirect_to: consent } = await admin.client.get('/v1/slack/install');
  // The way of a browser: to the local Slack, which always consents, and back.
  const back = (await fetch(consent, { redirect: 'manual' })).headers.get('location');
  const installed = await fetch(back ?? '', { redirect: 'manual' });
  if (installed.status !== 303) throw new OffScriptError(`the installation ended with ${String(installed.status)}`);
  await admin.client.put('/v1/slack/routes', {
    body: { channels: { production: 'C0PRODUCTION', '': 'C0OTHERS' }, on_duty: [] },
  });
  // The people that `emergency_override.notifies` of the autonomy document names.
  await admin.client.put('/v1/incident-settings', {
    body: {
      destinations: { 'security-team': ['C0INCIDENTS'], 'platform-leads': ['C0INCIDENTS'] },
      review_days: 5,
      pagerduty: null,
    },
  });
  for (const person of people) {
    await act(slackUrl, { as: userOf(person), command: 'link', channel: 'C0PRODUCTION' });
    const { ephemerals } = await workspaceOf(slackUrl);
    const offer = ephemerals.findLast(({ user }) => user === userOf(person));
    const code = /[?&]link=([A-Za-z0-9_-]+)/.exec(JSON.stringify(offer))?.[1];
    if (code === undefined) throw new OffScriptError(`Slack offered ${person.name} no link`);
    await person.client.post('/v1/slack/link', { body: { code } });
    await act(slackUrl, { as: userOf(person), dismiss: 'yes' });
  }
}

/** Waits for a request's message in Slack. */
export async function awaitInSlack({ slackUrl }: Stage, requestId: string): Promise<void> {
  await until(
    'the message in Slack',
    () => workspaceOf(slackUrl),
    (workspace) => workspace.messages.some((message) => isAbout(message, requestId)),
  );
}

const isAbout = ({ channel, blocks }: Workspace['messages'][number], requestId: string): boolean =>
  channel === 'C0PRODUCTION' && JSON.stringify(blocks).includes(requestId);

async function workspaceOf(slackUrl: string): Promise<Workspace> {
  return workspaceSchema.parse(await (await fetch(`${slackUrl}/state`)).json());
}

async function act(slackUrl: string, form: Readonly<Record<string, string>>): Promise<void> {
  const done = await fetch(`${slackUrl}/act`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  if (done.status !== 303) throw new OffScriptError(`the local Slack answered ${String(done.status)}`);
}
