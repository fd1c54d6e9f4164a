import type { ChangeKind, PersonId } from '#lib/kernel';
import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { confirm, waits, type WaitingChange } from '../support/change-requests.js';
import { registerIssuer, TestBrowser, testIssuer, type TestIssuer } from '../support/issuer.js';
import { cameIn } from '../support/passkey-accounts.js';
import { localSlack, type LocalSlack } from '../support/local-slack.js';
import { putCurrent } from '../support/put-current.js';
import { enrolTotp, type TestTotp } from '../support/second-factors.js';

let api: TestApi;
let slack: LocalSlack;
let issuer: TestIssuer;
beforeAll(async () => {
  // oidc-provider warns developers on the console.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  slack = await localSlack({});
  issuer = await testIssuer([{ sub: 'olga', groups: ['sre-leads'] }]);
  api = await testApi({ config: { slackUrl: slack.url, allowedPrivateHosts: [issuer.host] } });
}, 60_000);
afterAll(async () => {
  await api.close();
  await issuer.close();
  await slack.close();
});

/** Ada asks, and Ben can confirm. */
interface Pair {
  readonly tenant: TestTenant;
  readonly asAda: HttpAs;
  readonly asBen: HttpAs;
  readonly totp: TestTotp;
}

async function pair(): Promise<Pair> {
  const tenant = await api.tenant();
  const ben = await api.person(tenant, 'PlatformAdmin', 'SecurityReviewer');
  const asAda = api.http(tenant.admin.token);
  return { tenant, asAda, asBen: api.http(ben.token), totp: await enrolTotp(api, ben) };
}

const confirmed = async ({ asBen, totp }: Pair, change: WaitingChange): Promise<unknown> =>
  expectStatus(await confirm(asBen, totp, change), 200);

const stateOf = async ({ asBen }: Pair, { id }: WaitingChange): Promise<unknown> => {
  const { state, closed_reason } = expectStatus(await asBen.get(`/v1/change-requests/${id}`), 200).body;
  return { state, closed_reason };
};

const voided = (why: string) => ({
  state: 'voided',
  closed_reason: expect.stringMatching(new RegExp(`^${why} Have it asked for again:`)) as string,
});
const open = { state: 'open', closed_reason: null };

const document = (percent: number): string => `autonomy:
  mode: plan_only
  environments:
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
      max_batch_percent: ${String(percent)}
`;

const tool = (description: string) => ({
  description,
  risk: 'state_change_prod',
  idempotent: true,
  scope: 'asset',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
});

const invited = async ({ asAda }: Pair): Promise<PersonId> => {
  const name = `Mia ${String(Math.random()).slice(2)}`;
  const added = await asAda.post('/v1/people', { email: `${name.replace(' ', '-')}@example.com`, display_name: name });
  return expectStatus(added, 201).body.id as PersonId;
};

describe('a change request is void as soon as its base moves', () => {
  let two: Pair;
  beforeAll(async () => {
    two = await pair();
  }, 60_000);

  /** The kinds of change that a case below makes wait. */
  type Kind = Exclude<ChangeKind, 'slack_workspace' | 'sign_in'>;
  const cases: Record<Kind, () => Promise<{ waiting: WaitingChange; move: () => Promise<unknown>; why: string }>> = {
    autonomy: async () => {
      const put = (percent: number, match: object = {}): Promise<Answer> =>
        two.asAda.put('/v1/autonomy', document(percent), { ...match });
      expectStatus(await put(10), 200);
      const match = { 'if-match': String((await two.asAda.get('/v1/autonomy')).headers.etag) };
      const waiting = waits(await put(20, match));
      const move = async () => expectStatus(await put(5, match), 200);
      return { waiting, move, why: 'Revision 2 came into force, and .*\\.' };
    },
    tool_catalog: async () => {
      const put = (description: string) => two.asAda.put('/v1/tools/restart', tool(description));
      const first = waits(await put('Restarts.'));
      const waiting = waits(await put('Restarts a service.'));
      const other = waits(await two.asAda.put('/v1/tools/reboot', tool('Reboots.')));
      return {
        waiting,
        move: async () => {
          await confirmed(two, first);
          expect(await stateOf(two, other)).toEqual(open);
        },
        why: 'Tools: restart changed meanwhile\\.',
      };
    },
    role_assignment: async () => {
      const id = await invited(two);
      const token = expectStatus(await two.asAda.post(`/v1/people/${id}/enrolment`), 201).body.enrolment_token;
      const waiting = waits(await two.asAda.post(`/v1/people/${id}/roles`, { role: 'SRELead' }));
      const exchange = () =>
        api.http().post('/v1/enrolment', { enrolment_token: token, name: 'test', scopes: ['read'] });
      return { waiting, move: exchange, why: 'Mia .* came in, or was changed, meanwhile\\.' };
    },
    executor: async () => {
      const put = (environment: string, url: string) =>
        two.asAda.put(`/v1/environments/${environment}/executors/fleet`, { kind: 'http', url, audience: url });
      const first = waits(await put('staging', 'https://tools.example.com/a'));
      const waiting = waits(await put('staging', 'https://tools.example.com/b'));
      const elsewhere = waits(await put('development', 'https://tools.example.com/c'));
      return {
        waiting,
        move: async () => {
          await confirmed(two, first);
          expect(await stateOf(two, elsewhere)).toEqual(open);
        },
        why: 'The executor fleet of staging was changed meanwhile\\.',
      };
    },
    environment: async () => {
      const made = expectStatus(await two.asAda.post('/v1/environments', { name: 'edge', production: true }), 201);
      const path = `/v1/environments/${String(made.body.id)}`;
      const put = () => two.asAda.patch(path, { production: false }, { 'if-match': '"1"' });
      const [first, waiting] = [waits(await put()), waits(await put())];
      return { waiting, move: () => confirmed(two, first), why: 'edge was changed meanwhile\\.' };
    },
    factor_reset: async () => {
      const dana = await api.person(two.tenant, 'SRELead');
      const waiting = waits(
        await two.asAda.post(`/v1/people/${dana.id}/factors/reset`, { reason: 'called from home' }),
      );
      return {
        waiting,
        move: () => enrolTotp(api, dana),
        why: 'The second factors of this person changed meanwhile\\.',
      };
    },
    enrolment: async () => {
      const dana = await api.person(two.tenant, 'SRELead', 'Auditor');
      const waiting = waits(await two.asAda.post(`/v1/people/${dana.id}/enrolment`));
      const move = () => two.asAda.delete(`/v1/people/${dana.id}/roles/Auditor`);
      return { waiting, move, why: '.* came in, or was changed, meanwhile\\.' };
    },
    person_enabled: async () => {
      const dana = await api.person(two.tenant, 'SRELead', 'Auditor');
      expectStatus(await two.asAda.patch(`/v1/people/${dana.id}`, { disabled: true }), 200);
      const waiting = waits(await two.asAda.patch(`/v1/people/${dana.id}`, { disabled: false }));
      const move = () => two.asAda.delete(`/v1/people/${dana.id}/roles/Auditor`);
      return { waiting, move, why: '.* came in, or was changed, meanwhile\\.' };
    },
    agent_owner: async () => {
      const [olga, pete, rex] = [
        await api.person(two.tenant),
        await api.person(two.tenant),
        await api.person(two.tenant),
      ];
      const { id } = await api.agent(two.tenant, olga);
      const hand = (to: PersonId) => two.asAda.patch(`/v1/agents/${id}`, { owner_id: to });
      const [first, waiting] = [waits(await hand(pete.id)), waits(await hand(rex.id))];
      return { waiting, move: () => confirmed(two, first), why: 'Somebody else answers for .* meanwhile\\.' };
    },
    incident_settings: async () => {
      const put = (review_days: number) => two.asAda.put('/v1/incident-settings', { destinations: {}, review_days });
      const waiting = waits(await put(30));
      return { waiting, move: () => put(2), why: 'The incident settings were changed meanwhile\\.' };
    },
    slack_app: async () => {
      const put = (letter: string) =>
        two.asAda.put('/v1/slack/app', {
          client_id: '2.2',
          client_secret: letter.repeat(32),
          signing_secret: letter.repeat(32),
        });
      const [first, waiting] = [waits(await put('a')), waits(await put('b'))];
      return { waiting, move: () => confirmed(two, first), why: 'The Slack set-up was changed meanwhile\\.' };
    },
    slack_routes: async () => {
      const put = (channel: string) => two.asAda.put('/v1/slack/routes', { channels: { '': channel }, on_duty: [] });
      expectStatus(await put('C0FIRST'), 200);
      const [first, waiting] = [waits(await put('C0SECOND')), waits(await put('C0THIRD'))];
      return { waiting, move: () => confirmed(two, first), why: 'The Slack set-up was changed meanwhile\\.' };
    },
    audit_retention: async () => {
      const { keep_days } = expectStatus(await two.asAda.get('/v1/audit/retention'), 200).body as {
        keep_days: Record<string, number | null>;
      };
      const put = (basic: number) => two.asAda.put('/v1/audit/retention', { keep_days: { ...keep_days, basic } });
      const [first, waiting] = [waits(await put(100)), waits(await put(31))];
      const why = 'How long payloads are kept was changed meanwhile\\.';
      return { waiting, move: () => confirmed(two, first), why };
    },
    audit_epoch: async () => {
      const ask = () => two.asAda.post('/v1/audit/epochs', { reason: 'The backup of noon', last_published: null });
      const [first, waiting] = [waits(await ask()), waits(await ask())];
      return { waiting, move: () => confirmed(two, first), why: 'Epoch 1 was started meanwhile\\.' };
    },
    audit_key: async () => {
      await api.installation.audit.log.sequence.execute(two.tenant.id);
      const ask = () => two.asAda.post('/v1/audit/keys');
      const [first, waiting] = [waits(await ask()), waits(await ask())];
      return { waiting, move: () => confirmed(two, first), why: 'The key .* signs meanwhile\\.' };
    },
    secret_binding: async () => {
      const binding = { purpose: 'tool_arguments', executors: ['staging/fleet'], tools: ['restart', 'reboot'] };
      expectStatus(await two.asAda.put('/v1/secrets/root', { value: 'a root password', binding }), 200);
      const wider = { ...binding, executors: ['staging/fleet', 'production/fleet'] };
      const waiting = waits(await two.asAda.put('/v1/secrets/root/binding', { binding: wider }));
      // With the next version of its value, as well as by itself.
      const narrower = { value: 'another', binding: { ...binding, tools: ['restart'] } };
      const move = () => two.asAda.put('/v1/secrets/root', narrower);
      return { waiting, move, why: 'What the secret root may be sent to was changed meanwhile\\.' };
    },
    runner: async () => {
      const add = (pool: string) => two.asAda.post('/v1/runners', { name: 'builder', pool, environments: ['staging'] });
      const first = waits(await add('builders'));
      const waiting = waits(await add('others'));
      return { waiting, move: () => confirmed(two, first), why: 'A runner builder was added meanwhile\\.' };
    },
    webhook: async () => {
      const settings = { url: 'https://hooks.example.com/in', events: ['run.*'] };
      await confirmed(two, waits(await two.asAda.post('/v1/webhooks', settings)));
      const { items } = expectStatus(await two.asAda.get('/v1/webhooks'), 200).body as { items: { id: string }[] };
      const put = (path: string) =>
        putCurrent(two.asAda, `/v1/webhooks/${items[0]?.id ?? ''}`, {
          ...settings,
          url: `https://hooks.example.com/${path}`,
        });
      const first = waits(await put('one'));
      const waiting = waits(await put('two'));
      const why = 'The webhook to https://hooks\\.example\\.com/in was changed meanwhile\\.';
      return { waiting, move: () => confirmed(two, first), why };
    },
    lifecycle_hook: async () => {
      const put = (program: string) =>
        putCurrent(two.asAda, '/v1/lifecycle-hooks', {
          source: `runner: {pool: builders, environment: staging}\nhooks: [{name: tell, event: agent.error, action: {type: command, command: ${program}}}]`,
        });
      const first = waits(await put('notify'));
      const waiting = waits(await put('page'));
      return { waiting, move: () => confirmed(two, first), why: 'The lifecycle hooks were changed meanwhile\\.' };
    },
    siem_collector: async () => {
      const named = (path: string) => ({ url: `https://siem.example.com/${path}` });
      await confirmed(two, waits(await two.asAda.put('/v1/siem-collector', named('in'))));
      const put = (path: string) => putCurrent(two.asAda, '/v1/siem-collector', named(path));
      const first = waits(await put('one'));
      const waiting = waits(await put('two'));
      const why = 'The SIEM collector at https://siem\\.example\\.com/in was changed meanwhile\\.';
      return { waiting, move: () => confirmed(two, first), why };
    },
    embedder: async () => {
      const named = (path: string) => ({ url: `https://models.example.com/${path}`, model: 'one' });
      await confirmed(two, waits(await two.asAda.put('/v1/embedder', named('v1'))));
      const put = (path: string) => putCurrent(two.asAda, '/v1/embedder', named(path));
      const first = waits(await put('v2'));
      const waiting = waits(await put('v3'));
      const why = 'The embedder at https://models\\.example\\.com/v1 was changed meanwhile\\.';
      return { waiting, move: () => confirmed(two, first), why };
    },
    automation_safe_tool: async () => {
      const nonprod = { ...tool('Recycles a service.'), risk: 'state_change_nonprod', effect: 'modify' };
      await confirmed(two, waits(await two.asAda.put('/v1/tools/recycle', nonprod)));
      const accept = () => two.asAda.put('/v1/automation-safe-list/recycle', { version: 1 });
      const first = waits(await accept());
      const waiting = waits(await accept());
      const why = 'The list accepts version 1 of recycle meanwhile\\.';
      return { waiting, move: () => confirmed(two, first), why };
    },
  };

  it.each(Object.keys(cases) as Kind[])('%s', async (kind) => {
    const { waiting, move, why } = await cases[kind]();
    expect(waiting.kind).toBe(kind);
    expect(await stateOf(two, waiting)).toEqual(open);
    await move();
    expect(await stateOf(two, waiting)).toEqual(voided(why));
  });

  it('slack_workspace, once the installation is gone', async () => {
    const mine = await pair();
    const { clientId, clientSecret, signingSecret } = slack.workspace;
    const app = { client_id: clientId, client_secret: clientSecret, signing_secret: signingSecret };
    await confirmed(mine, waits(await mine.asAda.put('/v1/slack/app', app)));
    const { redirect_to: address } = expectStatus(await mine.asAda.get('/v1/slack/install'), 200).body;
    const consented = await fetch(String(address), { redirect: 'manual' });
    const back = new URL(consented.headers.get('location') ?? '');
    const finished = expectStatus(await api.http().get(`${back.pathname}${back.search}`), 303);
    const [, id = ''] = /\/changes\/(.+)$/.exec(String(finished.headers.location)) ?? [];
    const waiting = expectStatus(await mine.asBen.get(`/v1/change-requests/${id}`), 200).body as WaitingChange;
    await confirmed(mine, waits(await mine.asAda.put('/v1/slack/app', { ...app, client_secret: 'c2'.repeat(16) })));
    expect(await stateOf(mine, waiting)).toEqual(voided('The Slack set-up was changed meanwhile\\.'));
  });

  it('sign_in, once another revision is in force', async () => {
    const mine = await pair();
    const put = async (minutes: number): Promise<Answer> => {
      const { body, headers } = expectStatus(await mine.asAda.get('/v1/issuers'), 200);
      const match = body.revision === 0 ? {} : { 'if-match': headers.etag ?? '' };
      return mine.asAda.put('/v1/issuers', { reauthenticate_after_minutes: minutes, issuers: [] }, match);
    };
    expectStatus(await put(60), 200);
    const waiting = waits(await put(600));
    expectStatus(await put(5), 200);
    expect(await stateOf(mine, waiting)).toEqual(voided('Revision 2 of the sign-in settings came into force, .*\\.'));
  });

  it('a role and an invitation, once their person comes in at an issuer', async () => {
    const tenant = await api.tenant();
    await registerIssuer(api, tenant, issuer, { link_by_verified_email: true });
    const asAda = api.http(tenant.admin.token);
    const added = await asAda.post('/v1/people', { email: 'olga@issuer.example.com', display_name: 'Olga' });
    const path = `/v1/people/${String(expectStatus(added, 201).body.id)}`;
    const ben = await api.person(tenant, 'PlatformAdmin');
    const mine: Pair = { tenant, asAda, asBen: api.http(ben.token), totp: await enrolTotp(api, ben) };
    const role = waits(await asAda.post(`${path}/roles`, { role: 'Auditor' }));
    const invitation = waits(await asAda.post(`${path}/enrolment`));
    expectStatus(await new TestBrowser(api).signIn(issuer, tenant, 'olga'), 303);
    for (const waiting of [role, invitation])
      expect(await stateOf(mine, waiting)).toEqual(voided('Olga came in, or was changed, meanwhile\\.'));
  });

  it('a role, once it was assigned otherwise, and an invitation, once it was used', async () => {
    const id = await invited(two);
    const path = `/v1/people/${id}`;
    const first = waits(await two.asAda.post(`${path}/roles`, { role: 'SRELead' }));
    const second = waits(await two.asAda.post(`${path}/roles`, { role: 'SRELead' }));
    const another = waits(await two.asAda.post(`${path}/roles`, { role: 'Auditor' }));
    await confirmed(two, first);
    expect(await stateOf(two, second)).toEqual(voided('Mia .* came in, or was changed, meanwhile\\.'));
    expect(await stateOf(two, another)).toEqual(open);

    const asked = await two.asAda.post(`${path}/enrolment`);
    const link = waits(asked);
    const again = waits(await two.asAda.post(`${path}/enrolment`));
    await confirmed(two, another);
    await confirmed(two, link);
    await cameIn(api, asked.body.enrolment_token as string);
    expect(await stateOf(two, again)).toEqual(voided('Mia .* came in, or was changed, meanwhile\\.'));
  });
});
