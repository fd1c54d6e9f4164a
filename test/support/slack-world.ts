import { readFileSync } from 'node:fs';
import type { ApprovalRequestView } from '#lib/api-schemas';
import type { SimulationId } from '#lib/kernel';
import type { ApiConfig } from '../../apps/api/src/api-config.js';
import {
  expectStatus,
  testApi,
  type HttpAs,
  type TestAgent,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from './api.js';
import { CHANNELS, localSlack, type LocalMessage, type LocalSlack } from './local-slack.js';
import { predictingToolServer } from './equipped-tenant.js';
import { rolloutPlan, taskSpec } from './stages.js';
import { until } from './until.js';

/** An API with a Slack workspace, people linked in it, and a plan to ask about. The worker's part is done on demand. */
export interface SlackWorld {
  readonly api: TestApi;
  readonly slack: LocalSlack;
  readonly tenant: TestTenant;
  readonly admin: HttpAs;
  readonly agent: HttpAs;
  readonly bot: TestAgent;
  /** The agent's accountable person, without the right to review. */
  readonly owner: TestPerson;
  /** SRELeads, linked as UADA and UBEN. */
  readonly ada: TestPerson;
  readonly ben: TestPerson;
  /** Asks for approval of a new simulated plan. */
  asked(start?: 'manual' | 'on_approval', plan?: object, spec?: object): Promise<ApprovalRequestView>;
  /** Submits another revision for the task of a request, and asks for its approval. */
  askedAgain(request: Pick<ApprovalRequestView, 'subject'>, plan: object): Promise<ApprovalRequestView>;
  request(id: string): Promise<ApprovalRequestView>;
  /** Does all due work, until none is left. */
  settle(): Promise<void>;
  /** Waits until the processes have sent the messages that they took. */
  sent(): Promise<void>;
  /** The message of a request, in a channel or a direct conversation. */
  message(request: { readonly id: string }, channel?: string): LocalMessage;
  link(person: TestPerson, user: string): Promise<void>;
  reviews(request: { readonly id: string }): Promise<number>;
  /** The `traceparent` of every call that the tool server got, in order. */
  readonly calledIn: readonly (string | null)[];
  close(): Promise<void>;
}

const USERS = { UADA: 'Ada', UBEN: 'Ben', UOWN: 'Owner', UEVE: 'Eve' } as const;

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
      require_two_approvers: true
`;

/** @param rules documents in the place of those for a rollout in production. */
export async function slackWorld(
  config: Pick<Partial<ApiConfig>, 'mail' | 'keyDirectory' | 'allowedPrivateHosts'> = {},
  rules: {
    readonly tools?: string;
    readonly autonomy?: string;
    readonly channels?: Readonly<Record<string, string>>;
  } = {},
): Promise<SlackWorld> {
  const slack = await localSlack(USERS);
  const tools = await predictingToolServer();
  const api = await testApi({
    config: { allowedPrivateHosts: [`127.0.0.1:${String(tools.port)}`], slackUrl: slack.url, ...config },
  });
  await api.app.listen(0, '127.0.0.1');
  slack.sendTo((await api.app.getUrl()).replace('[::1]', '127.0.0.1'));
  const tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', rules.tools ?? readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
  const executor = { kind: 'http', url: `http://127.0.0.1:${String(tools.port)}/tools`, audience: 'fleet' };
  expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
  const [owner, ada, ben] = [
    await api.person(tenant, 'SRELead'),
    await api.person(tenant, 'SRELead'),
    await api.person(tenant, 'SRELead'),
  ];
  const bot = await api.agent(tenant, owner);
  const agent = api.http(bot.token);
  const put = await admin.put('/v1/autonomy', rules.autonomy ?? AUTONOMY);
  if (put.status >= 300) throw new Error(put.text);
  await installSlack(api, admin, slack);
  expectStatus(
    await admin.put('/v1/slack/routes', {
      channels: rules.channels ?? { production: CHANNELS.production },
      on_duty: [],
    }),
    200,
  );

  let images = 0;
  const askFor = async (taskId: string, plan: object, start: string): Promise<ApprovalRequestView> => {
    const submitted = expectStatus(await agent.post(`/v1/tasks/${taskId}/plans`, plan), 201).body as { id: string };
    const simulation = await agent.post(`/v1/plans/${submitted.id}/simulations`);
    if (simulation.status >= 300) throw new Error(simulation.text);
    await api.installation.simulation.executeSimulation.execute(tenant.id, simulation.body.id as SimulationId);
    const asked = await agent.post(`/v1/plans/${submitted.id}/approval-requests`, { start });
    return expectStatus(asked, 201).body as ApprovalRequestView;
  };
  const world: SlackWorld = {
    api,
    slack,
    tenant,
    admin,
    agent,
    bot,
    owner,
    ada,
    ben,
    // Another image each time: an identical request collapses into the pending one.
    asked: async (start = 'manual', plan = rolloutPlan(`web-${String((images += 1))}`), spec = {}) => {
      const task = expectStatus(await agent.post('/v1/tasks', { ...taskSpec(), ...spec }), 201).body as { id: string };
      return askFor(task.id, plan, start);
    },
    askedAgain: (request, plan) => askFor(taskOf(request), plan, 'manual'),
    request: async (id) =>
      expectStatus(await agent.get(`/v1/approval-requests/${id}`), 200).body as ApprovalRequestView,
    settle: () => settle(api, slack),
    sent: () => sent(api),
    message: (request, channel = CHANNELS.production) => {
      const found = slack.in(channel).find(({ blocks }) => JSON.stringify(blocks).includes(request.id));
      if (found === undefined) throw new Error(`there is no message of ${request.id} in ${channel}`);
      return found;
    },
    link: async (person, user) => {
      const before = slack.ephemerals.length;
      const offered = await slack.command('link', user, CHANNELS.production);
      if (offered.status !== 200) throw new Error(offered.body);
      const code = codeIn(slack.ephemerals.slice(before));
      expectStatus(await api.http(person.token).post('/v1/slack/link', { code }), 201);
    },
    calledIn: tools.calledIn,
    reviews: async (request) => {
      const { rows } = await api.db.owner.query<{ count: string }>(
        'select count(*) from review where request_id = $1 and replaced_at is null',
        [request.id],
      );
      return Number(rows[0]?.count);
    },
    close: async () => {
      await api.close();
      await slack.close();
      await tools.close();
    },
  };
  await world.link(ada, 'UADA');
  await world.link(ben, 'UBEN');
  return world;
}

/** The code of a link that an answer of Slack's offers. */
export function codeIn(messages: readonly { readonly blocks: readonly object[] }[]): string {
  const code = /[?&]link=([A-Za-z0-9_-]+)/.exec(JSON.stringify(messages))?.[1];
  if (code === undefined) throw new Error(`no link is offered: ${JSON.stringify(messages)}`);
  return code;
}

/** The whole OAuth exchange, as an admin's browser goes through it. */
export async function installSlack(api: Pick<TestApi, 'http'>, admin: HttpAs, slack: LocalSlack): Promise<void> {
  const { clientId, clientSecret, signingSecret } = slack.workspace;
  const app = { client_id: clientId, client_secret: clientSecret, signing_secret: signingSecret };
  expectStatus(await admin.put('/v1/slack/app', app), 200);
  const { redirect_to: address } = expectStatus(await admin.get('/v1/slack/install'), 200).body as {
    redirect_to: string;
  };
  const consented = await fetch(address, { redirect: 'manual' });
  const back = new URL(consented.headers.get('location') ?? '');
  expectStatus(await api.http().get(`${back.pathname}${back.search}`), 303);
}

const ROUNDS = 200;

/** Leaves the messages of new requests to workers, as a busy process does. @returns ends that. */
export function leaveToWorkers({ installation }: Pick<TestApi, 'installation'>): () => void {
  const first = jest.spyOn(installation.delivery.deliverOutbox, 'first').mockReturnValue(undefined);
  return () => {
    first.mockRestore();
  };
}

/** Waits until the processes have sent the messages that they took. */
const sent = async (api: TestApi): Promise<void> => {
  await until(async () => {
    const taken = await due(
      api,
      `select tenant_id, id from outbox_message
        where state = 'pending' and attempts > 0 and last_error is null and next_attempt_at > clock_timestamp()`,
    );
    return taken.length === 0;
  });
};

/** The worker's work, at once. Neither these messages nor the next one wait for the pace of their channel. */
async function settle(api: TestApi, slack: LocalSlack): Promise<void> {
  const [outbox, interactions] = [api.installation.delivery.deliverOutbox, api.installation.slack.workInteraction];
  await sent(api);
  for (let round = 0; round < ROUNDS; round += 1) {
    const clicks = await due(api, 'select tenant_id, id from slack_interaction where done_at is null');
    for (const { tenant_id, id } of clicks) await interactions.execute(tenant_id as never, id);
    const messages = await due(
      api,
      `update outbox_message set next_attempt_at = least(next_attempt_at, clock_timestamp())
        where state = 'pending' and next_attempt_at < clock_timestamp() + interval '1 minute' returning tenant_id, id`,
    );
    await api.db.owner.query(
      "update slack_pace set free_at = '-infinity', queued_until = '-infinity', new_until = '-infinity'",
    );
    slack.freePace();
    if (messages.length === 0 && clicks.length === 0) return;
    for (const { tenant_id, id } of messages) await outbox.execute(tenant_id as never, id);
  }
  throw new Error('the outbox never comes to rest');
}

const due = async (api: TestApi, sql: string): Promise<readonly { tenant_id: string; id: string }[]> =>
  (await api.db.owner.query<{ tenant_id: string; id: string }>(sql)).rows;

/** The text that a reader of a message sees. */
export function textOf(blocks: readonly object[]): string {
  const read = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(read).join('');
    if (typeof value !== 'object' || value === null) return '';
    const { text, type, ...rest } = value as { text?: unknown; type?: unknown };
    if (typeof text === 'string') return text;
    return [text, ...Object.values(rest)].map(read).join('') + (type === 'rich_text_section' ? '\n' : '');
  };
  return read(blocks);
}

/** @throws for a request about anything but a plan. */
export function taskOf({ subject }: Pick<ApprovalRequestView, 'subject'>): string {
  if (subject.type !== 'plan') throw new Error(`a request about the ${subject.type} ${subject.id} has no task`);
  return subject.task_id;
}
