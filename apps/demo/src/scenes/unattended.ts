import { z } from 'zod';
import type { SeenAutomationRunView } from '#lib/api-schemas';
import { OffScriptError, refused, tellRefusal, until, type Stage } from '../stage.js';

const [SICK, SILENT] = ['stage-web-04', 'stage-web-07'];

/** Every minute it looks at a server. Its last call is destructive, and blocked. */
const AT_TICKS = `name: restart-web
environment: staging
triggers:
  - { type: cron, schedule: "* * * * *", time_zone: UTC }
on_blocked: skip
steps:
  - { id: look, type: tool_action, tool: query_alerts, arguments: { targets: [${SICK}] } }
  - { id: sick, type: condition, if: look.unhealthy >= 1 }
  - { id: restart, type: tool_action, tool: restart_service_nonprod, arguments: { targets: [${SICK}] } }
  - { id: remove, type: tool_action, tool: uninstall_app, arguments: { app: web } }
  - { id: tell, type: notify, message: ${SICK} was restarted. }
`;

const AT_FAILURES = `name: restart-after-failure
environment: staging
inputs:
  probe: { type: string, max_length: 64, example: query_alerts }
triggers:
  - type: event
    event: tool.failed
    match: { data.facts.environment: staging, data.facts.tool: query_alerts }
    inputs: { probe: data.facts.tool }
steps:
  - id: restart
    type: tool_action
    tool: restart_service_nonprod
    arguments: { targets: [${SILENT}], reason: "{{inputs.probe}}" }
`;

/** Ids of the automations by their names. */
export interface Unattended {
  readonly atTicks: string;
  readonly atFailures: string;
}

/** drift-bot proposes two automations, and Ada enables exactly the sources that she read. */
export async function leaveWork(stage: Stage): Promise<Unattended> {
  const { cast, narrator } = stage;
  narrator.scene('Automations are left to work while nobody watches');
  const strict = AT_TICKS.replace('on_blocked: skip\n', '').replace('name: restart-web', 'name: remove-web');
  const { id, source_sha256 } = await propose(stage, strict);
  narrator.act('Ada', 'reads remove-web, and cannot enable it');
  const enabling = cast.ada.client.post('/v1/automations/{id}/enable', { path: { id }, body: { source_sha256 } });
  tellRefusal(narrator, await refused(enabling, 'automation.steps_blocked'));
  const atTicks = await enabled(stage, AT_TICKS);
  const atFailures = await enabled(stage, AT_FAILURES);
  await breakServer(stage, SICK, 'unhealthy');
  return { atTicks, atFailures };
}

/** A tick of the clock and an event start runs: both restart a server, and neither uninstalls anything. */
export async function workUnattended(stage: Stage, { atTicks, atFailures }: Unattended): Promise<void> {
  const { cast, narrator } = stage;
  narrator.scene('Meanwhile the automations worked');
  narrator.say('the clock ticked for restart-web:');
  tellSteps(stage, await runWith(stage, atTicks, 'restart'));
  await breakServer(stage, SILENT, 'silent');
  narrator.act('drift-bot', `looks at ${SILENT}, and the call fails`);
  await cast.agent.client.post('/v1/tool-calls', {
    body: { tool: 'query_alerts', environment: 'staging', arguments: { targets: [SILENT] } },
  });
  narrator.say('that event started restart-after-failure:');
  tellSteps(stage, await runWith(stage, atFailures, 'restart'));
  await requireEffects(stage);
}

async function propose({ cast, narrator }: Stage, source: string) {
  const proposed = await cast.agent.client.post('/v1/automations', { body: { source } });
  narrator.act('drift-bot', `proposes the automation ${proposed.name}`);
  for (const { step, message } of proposed.blocked) narrator.no(`${step} would be blocked: ${message}`);
  return proposed;
}

async function enabled(stage: Stage, source: string): Promise<string> {
  const { id, name, source_sha256 } = await propose(stage, source);
  await stage.cast.ada.client.post('/v1/automations/{id}/enable', { path: { id }, body: { source_sha256 } });
  stage.narrator.act('Ada', `reads ${name}, and enables exactly this source`);
  return id;
}

async function breakServer({ narrator, fleetUrl }: Stage, asset: string, effect: string): Promise<void> {
  await fetch(`${fleetUrl}/faults`, { method: 'POST', body: JSON.stringify({ assets: [asset], effect }) });
  narrator.aside(`(the fleet is told that ${asset} becomes ${effect})`);
}

/** The first run in which a step succeeded. */
async function runWith({ cast, narrator }: Stage, id: string, step: string): Promise<SeenAutomationRunView> {
  const { client } = cast.agent;
  const look = async (): Promise<SeenAutomationRunView | undefined> => {
    const { items } = await client.get('/v1/automations/{id}/runs', { path: { id } });
    const runs = await Promise.all(
      items.map(({ id: run }) => client.get('/v1/automations/{id}/runs/{run}', { path: { id, run } })),
    );
    return runs.find(
      (run) => run.finished_at !== null && run.steps.some((each) => each.step === step && each.state === 'succeeded'),
    );
  };
  const found = await narrator.during(
    'waiting for the run',
    until('the run', look, (run) => run !== undefined),
  );
  if (found === undefined) throw new OffScriptError('the automation did not run');
  return found;
}

function tellSteps({ narrator }: Stage, { steps }: SeenAutomationRunView): void {
  for (const { step, state, error } of steps) {
    if (state === 'blocked') narrator.no(`${step}: blocked. ${error?.message ?? ''}`);
    else narrator.yes(`${step}: ${state}`);
  }
}

const ledgerSchema = z.object({ entries: z.array(z.object({ tool: z.string(), environment: z.string() })) });

/** The fleet wrote down both restarts, and no other call. */
async function requireEffects({ fleetUrl }: Stage): Promise<void> {
  const { entries } = ledgerSchema.parse(await (await fetch(`${fleetUrl}/ledger`)).json());
  const done = entries.filter(({ environment }) => environment === 'staging').map(({ tool }) => tool);
  if (done.length !== 2 || done.some((tool) => tool !== 'restart_service_nonprod'))
    throw new OffScriptError(`the automations did something else: ${done.join(', ')}`);
}
