import { parseArgs } from 'node:util';
import { LocalSlack } from './local-slack.js';

// Its people are not authenticated: no one signs in to this Slack.
if (process.env.NODE_ENV === 'production') {
  process.stderr.write(
    'The local Slack is for tests and demonstrations; it does not start with NODE_ENV=production.\n',
  );
  process.exit(1);
}

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    countersign: { type: 'string' },
    'client-id': { type: 'string', default: '1.2' },
    'client-secret': { type: 'string' },
    'signing-secret': { type: 'string' },
    users: { type: 'string', default: '' },
  },
});
const { countersign, 'client-secret': clientSecret, 'signing-secret': signingSecret } = values;
if (countersign === undefined || clientSecret === undefined || signingSecret === undefined) {
  process.stderr.write(
    'Usage: slack-local --countersign URL --client-secret S --signing-secret S [--port N] [--users Ada,Sam]\n',
  );
  process.exit(2);
}
const names = values.users.split(',').filter((name) => name !== '');
const slack = new LocalSlack({
  teamId: 'T0LOCAL',
  teamName: 'Acme (local Slack)',
  appId: 'A0LOCAL',
  clientId: values['client-id'],
  clientSecret,
  signingSecret,
  botToken: `xoxb-local-${signingSecret.slice(0, 12)}`,
  channels: { C0PRODUCTION: 'production', C0OTHERS: 'changes', C0INCIDENTS: 'incidents' },
  users: Object.fromEntries(names.map((name) => [`U0${name.toUpperCase()}`, name])),
});
slack.sendTo(countersign);
void slack.listen(Number(values.port)).then((url) => {
  process.stdout.write(`${JSON.stringify({ msg: 'the local Slack is open', url })}\n`);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void slack.close());
