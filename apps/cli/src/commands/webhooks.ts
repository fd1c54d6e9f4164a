import { InvalidArgumentError, type Command } from 'commander';
import pc from 'picocolors';
import type { WebhookDetailView, WebhookSettingsBody, WebhookView } from '#lib/api-schemas';
import { WEBHOOK_SUBSCRIPTIONS } from '#lib/formats';
import { moment, oneLine, table, type Cell } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';
import { authorityIn } from './connection.js';

type Events = WebhookSettingsBody['events'];

/** The events of a webhook, if none are named. */
const DEFAULT_EVENTS: Events = ['tool.started', 'tool.completed', 'tool.failed'];

function eventsOf(text: string): Events {
  const named = text.split(',').map((each) => each.trim());
  const known = WEBHOOK_SUBSCRIPTIONS.filter((each) => named.includes(each));
  if (known.length !== named.length)
    throw new InvalidArgumentError(`Name some of these, with commas between: ${WEBHOOK_SUBSCRIPTIONS.join(', ')}.`);
  return known;
}

interface ChangeOptions {
  readonly address?: string;
  readonly events?: Events;
  readonly ca?: string;
  readonly description?: string;
}

interface AddOptions {
  readonly events: Events;
  readonly ca?: string;
  readonly description: string;
}

function standing({ enabled, off_reason: reason, failing_since: failing, secrets }: WebhookDetailView): Cell {
  if (!enabled) return `off: ${reason ?? ''}`;
  if (secrets.length === 0) return { text: 'waits for its secret', colour: pc.yellow };
  return failing === null
    ? { text: 'on', colour: pc.green }
    : { text: `fails since ${moment(failing)}`, colour: pc.yellow };
}

/** `countersign webhooks`: events for other systems. */
export function addWebhooks(program: Command, context: () => CommandContext): void {
  const webhooks = program.command('webhooks').description('addresses of other systems that events are sent to');

  webhooks
    .command('list')
    .description('list the webhooks')
    .addHelpText('after', '\nExample:\n  countersign webhooks list\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/webhooks');
      const rows = found.items.map((each) => [each.id, oneLine(each.url), each.events.join(', '), standing(each)]);
      output.result(found, rows.length === 0 ? ['There is no webhook.'] : table(['id', 'address', 'events', ''], rows));
    });

  webhooks
    .command('add')
    .description('send events to an https address')
    .argument('<url>', 'the address, without credentials and query')
    .option('--events <list>', 'events, with commas between', eventsOf, DEFAULT_EVENTS)
    .option('--ca <file>', 'certificates in PEM; the receiver is checked against these only')
    .option('--description <text>', 'what it is for', '')
    .addHelpText(
      'after',
      '\nA second PlatformAdmin confirms it under Changes. Then run "countersign webhooks rotate" to see its secret.\n\nExample:\n  countersign webhooks add https://hooks.example.com/countersign --events tool.failed,run.*\n',
    )
    .action(async (url: string, { events, ca, description }: AddOptions) => {
      const { client, output } = context();
      const body = { url, events, ca: authorityIn(ca), description, enabled: true };
      const added = await client().post('/v1/webhooks', { body });
      const lines = guardedLines<WebhookView>(added, (done) => [
        `Events are sent to ${pc.bold(oneLine(done.url))}, once its secret was shown.`,
        `Show its secret: countersign webhooks rotate ${done.id}`,
      ]);
      output.result(added, lines);
    });

  const change = async (id: string, wanted: Partial<WebhookSettingsBody>): Promise<void> => {
    const { client, output } = context();
    const path = { id };
    const found = await client().get('/v1/webhooks/{id}', { path });
    const { url, description, events, ca, enabled, etag } = found;
    const body = { url, description, events, ca, enabled, ...wanted };
    const changed = await client().put('/v1/webhooks/{id}', { path, body, ifMatch: etag });
    const lines = guardedLines<WebhookView>(changed, (done) => [
      `The webhook to ${pc.bold(oneLine(done.url))} is ${done.enabled ? 'on' : 'off'}; it gets ${done.events.join(', ')}.`,
    ]);
    output.result(changed, lines);
  };

  webhooks
    .command('change')
    .description('change the address, the events, the authority or the purpose of a webhook')
    .argument('<id>', 'the webhook')
    .option('--address <url>', 'the address, without credentials and query')
    .option('--events <list>', 'all events that it gets, with commas between', eventsOf)
    .option('--ca <file>', 'certificates in PEM; the receiver is checked against these only')
    .option('--description <text>', 'what it is for')
    .addHelpText('after', '\nExample:\n  countersign webhooks change WEBHOOK --events tool.failed\n')
    .action(async (id: string, { address, ca, ...wanted }: ChangeOptions) => {
      await change(id, {
        ...wanted,
        ...(address === undefined ? {} : { url: address }),
        ...(ca === undefined ? {} : { ca: authorityIn(ca) }),
      });
    });

  for (const [name, enabled] of [
    ['on', true],
    ['off', false],
  ] as const)
    webhooks
      .command(name)
      .description(`switch a webhook ${name}`)
      .argument('<id>', 'the webhook')
      .addHelpText('after', `\nExample:\n  countersign webhooks ${name} WEBHOOK\n`)
      .action((id: string) => change(id, { enabled }));

  webhooks
    .command('rotate')
    .description('make a new secret and show it once; earlier ones sign beside it for a day')
    .argument('<id>', 'the webhook')
    .option('--end-earlier', 'earlier secrets sign no more: for one that leaked')
    .addHelpText('after', '\nExample:\n  countersign webhooks rotate WEBHOOK\n')
    .action(async (id: string, { endEarlier = false }: { endEarlier?: boolean }) => {
      const { client, output } = context();
      const query = endEarlier ? { end_earlier: 'true' as const } : {};
      const made = await client().post('/v1/webhooks/{id}/secret', { path: { id }, query });
      const earlier = endEarlier ? 'sign no more' : `sign beside it until ${moment(made.earlier_until)}`;
      output.result(made, [made.secret, `Earlier secrets ${earlier}.`]);
    });

  webhooks
    .command('test')
    .description('send a test event')
    .argument('<id>', 'the webhook')
    .addHelpText('after', '\nExample:\n  countersign webhooks test WEBHOOK\n')
    .action(async (id: string) => {
      const { client, output } = context();
      const sent = await client().post('/v1/webhooks/{id}/test', { path: { id } });
      output.result(sent, [`A test event is on its way: ${sent.id}`]);
    });

  webhooks
    .command('deliveries')
    .description('list what was sent in the last thirty days')
    .argument('<id>', 'the webhook')
    .option('--state <state>', 'pending, delivered or failed')
    .addHelpText('after', '\nExample:\n  countersign webhooks deliveries WEBHOOK --state failed\n')
    .action(async (id: string, { state }: { state?: 'pending' | 'delivered' | 'failed' }) => {
      const { client, output } = context();
      const found = await client().get('/v1/webhooks/{id}/deliveries', { path: { id }, query: { state } });
      const rows = found.items.map((each) => [
        each.id,
        each.event,
        each.state,
        moment(each.created_at),
        oneLine(each.tries.at(-1)?.error ?? ''),
      ]);
      output.result(found, rows.length === 0 ? ['Nothing was sent.'] : table(['id', 'event', 'state', 'at', ''], rows));
    });

  webhooks
    .command('resend')
    .description('send a delivery again, under the same id')
    .argument('<id>', 'the webhook')
    .argument('<delivery>', 'the delivery')
    .addHelpText('after', '\nExample:\n  countersign webhooks resend WEBHOOK DELIVERY\n')
    .action(async (id: string, delivery: string) => {
      const { client, output } = context();
      const sent = await client().post('/v1/webhooks/{id}/deliveries/{delivery}/resend', { path: { id, delivery } });
      output.result(sent, [`It is on its way again: ${sent.id}`]);
    });

  webhooks
    .command('remove')
    .description('remove a webhook with its secrets and its log, at once')
    .argument('<id>', 'the webhook')
    .addHelpText('after', '\nExample:\n  countersign webhooks remove WEBHOOK\n')
    .action(async (id: string) => {
      const { client, output } = context();
      await client().delete('/v1/webhooks/{id}', { path: { id } });
      output.result({ removed: id }, ['Nothing is sent to it any more.']);
    });
}
