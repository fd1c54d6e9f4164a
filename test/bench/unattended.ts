/** Sends a request with the admin's token; throws on each answer that is no success. */
export type AsAdmin = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, unknown>>>;

const AUTOMATIONS = {
  cron: '{ type: cron, schedule: "0 3 * * *", time_zone: Europe/Berlin, missed: run_once }',
  event: '{ type: event, event: tool.failed, match: { data.toolName: query_assets } }',
};

/**
 * Gives a tenant all that works unattended. That is an automation at times and one at events, a webhook with its secret, and a
 * lifecycle hook. It all is of staging, so that calls of production are decided as before. Nothing of it connects to an address.
 */
export async function configureUnattended(send: AsAdmin): Promise<void> {
  const executor = { kind: 'http', url: 'https://fleet.example.com/tools', audience: 'fleet.staging' };
  await send('PUT', '/v1/environments/staging/executors/fleet', executor);
  for (const [name, trigger] of Object.entries(AUTOMATIONS)) {
    const source = `name: look-at-${name}
environment: staging
triggers:
  - ${trigger}
steps:
  - { id: look, type: tool_action, tool: query_assets, arguments: { role: web } }
`;
    const { id, source_sha256 } = await send('POST', '/v1/automations', { source });
    await send('POST', `/v1/automations/${String(id)}/enable`, { source_sha256 });
  }
  const events = ['tool.started', 'tool.completed', 'tool.failed'];
  const webhook = await send('POST', '/v1/webhooks', { url: 'https://hooks.example.com/in', events });
  await send('POST', `/v1/webhooks/${String(webhook.id)}/secret`);
  const hook = '{name: note, event: tool.execute, action: {type: log, message: "{{toolName}}"}}';
  const { etag } = await send('GET', '/v1/lifecycle-hooks');
  const source = `hooks:\n  - ${hook}\n`;
  await send('PUT', '/v1/lifecycle-hooks', { source }, { 'if-match': String(etag) });
}
