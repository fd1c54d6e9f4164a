import { randomBytes } from 'node:crypto';
import { LocalSlack } from '../../apps/slack-local/src/local-slack.js';

export { LocalSlack } from '../../apps/slack-local/src/local-slack.js';
export { directOf } from '../../apps/slack-local/src/slack-methods.js';
export type { LocalMessage } from '../../apps/slack-local/src/workspace.js';

/** The channel of production, and that of everything else. */
export const CHANNELS = { production: 'C0PRODUCTION', others: 'C0OTHERS' } as const;

let workspaces = 0;

/** A workspace of a test's own, listening. */
export async function localSlack(users: Readonly<Record<string, string>>): Promise<LocalSlack> {
  workspaces += 1;
  const slack = new LocalSlack({
    teamId: `T0${String(workspaces)}`,
    teamName: 'Test workspace',
    appId: `A0${String(workspaces)}`,
    clientId: `1.${String(workspaces)}`,
    clientSecret: randomBytes(16).toString('hex'),
    signingSecret: randomBytes(16).toString('hex'),
    botToken: `xoxb-${randomBytes(12).toString('hex')}`,
    channels: { [CHANNELS.production]: 'production', [CHANNELS.others]: 'changes' },
    users,
  });
  await slack.listen();
  return slack;
}
