import { RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { IDEMPOTENT, type KeyedRoute } from '../../apps/api/src/http/idempotency.interceptor.js';
import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { autonomyDocument, equippedTenant } from '../support/equipped-tenant.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await testApi({ config: { allowedPrivateHosts: ['127.0.0.1:9'] } });
  tenant = await api.tenant();
});
afterAll(() => api.close());

const add = (key: string, email: string) =>
  api.http(tenant.admin.token).post('/v1/people', { email, display_name: 'X' }, { 'idempotency-key': key });

const count = async (email: string): Promise<number> => {
  const { rows } = await api.db.owner.query('select from person where tenant_id = $1 and email = $2', [
    tenant.id,
    email,
  ]);
  return rows.length;
};

describe('Idempotency-Key', () => {
  it('answers a repetition with the same, and creates nothing more', async () => {
    const first = expectStatus(await add('k1', 'k1@example.com'), 201);
    const second = expectStatus(await add('k1', 'k1@example.com'), 201);
    expect(second.text).toBe(first.text);
    expect([first.headers['idempotent-replay'], second.headers['idempotent-replay']]).toEqual([undefined, 'true']);
    expect(await count('k1@example.com')).toBe(1);
  });

  it('lets one of many at once through, and tells the others to wait', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => add('k2', 'k2@example.com')));
    const codes = answers.map(({ status, body }) => (status === 201 ? '201' : String(body.code)));
    expect(codes.filter((code) => code !== '201').every((code) => code === 'idempotency.in_progress')).toBe(true);
    expect(codes).toContain('201');
    expect(await count('k2@example.com')).toBe(1);
  });

  it('refuses another request with the same key', async () => {
    expectStatus(await add('k3', 'k3@example.com'), 201);
    const { status, body } = await add('k3', 'other@example.com');
    expect([status, body.code]).toEqual([422, 'idempotency.key_reused']);
    expect(await count('other@example.com')).toBe(0);
  });

  it('is given back by a refusal, which created nothing', async () => {
    expectStatus(await add('k5', 'k1@example.com'), 409);
    expectStatus(await add('k5', 'k5@example.com'), 201);
  });

  it('never repeats a secret', async () => {
    const mint = () => api.http(tenant.admin.token).post('/v1/tokens', { name: 'ci' }, { 'idempotency-key': 'k6' });
    const { token } = expectStatus(await mint(), 201).body;
    const { status, body, text } = await mint();
    expect([status, body.code]).toEqual([409, 'idempotency.answer_not_kept']);
    expect(text).not.toContain(token);
    const { rows } = await api.db.owner.query(
      'select to_jsonb(idempotency_record)::text as text from idempotency_record',
    );
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('is kept by an unexpected error of a route that acts outside the database, since something may have been committed', async () => {
    await api.db.owner.query(
      "alter table webhook_endpoint add constraint webhook_test_check check (description <> 'breaks')",
    );
    const webhook = { url: 'https://127.0.0.1:9/', description: 'breaks', events: ['run.*'] };
    const breaking = () =>
      api.http(tenant.admin.token).post('/v1/webhooks', webhook, { 'idempotency-key': 'unforeseen' });
    const first = await breaking();
    expect([first.status, first.body.code]).toEqual([500, 'internal.unexpected']);
    await api.db.owner.query('alter table webhook_endpoint drop constraint webhook_test_check');
    const second = await breaking();
    expect([second.status, second.body.code, second.body.details]).toEqual([
      ...[409, 'idempotency.outcome_unknown'],
      { first_code: 'internal.unexpected' },
    ]);
    const { rows } = await api.db.owner.query('select from webhook_endpoint where tenant_id = $1', [tenant.id]);
    expect(rows).toEqual([]);
  });

  it('is a short line of visible characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'two words']) {
      const { status, body } = await add(key, 'k8@example.com');
      expect([key, status, body?.code]).toEqual([key, 400, 'idempotency.key_malformed']);
    }
    expect(await count('k8@example.com')).toBe(0);
  });
});

interface DeclaredRoute {
  readonly name: string;
  readonly method: RequestMethod;
  /** Its declaration if it takes a key. */
  readonly keyed: KeyedRoute | undefined;
}

const routes = (): DeclaredRoute[] =>
  api.app
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ metatype }) => {
      const { name, prototype } = metatype as Type<object>;
      return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([handler, { value }]) => {
        const method: unknown = typeof value === 'function' ? Reflect.getMetadata('method', value) : undefined;
        if (method === undefined) return [];
        const keyed = Reflect.getMetadata(IDEMPOTENT, value as object) as KeyedRoute | undefined;
        return [{ name: `${name}.${handler}`, method: method as RequestMethod, keyed }];
      });
    });

it('is taken by each POST, which clients repeat after a lost answer, but those whose repetition does no harm', () => {
  const harmless: Readonly<Record<string, readonly string[]>> = {
    'It changes nothing.': [
      ...['EvidenceController.assemble', 'EvidenceController.assembleChange', 'EvidenceController.assembleSession'],
      ...[
        'EvidenceController.assembleAutomationRun',
        'AutomationsController.validate',
        'AutomationsController.preview',
      ],
      ...['ConfigurationController.check', 'BreakGlassController.check', 'LifecycleHooksController.validate'],
      ...['ShellController.classify', 'SlackSettingsController.preview', 'PasskeySignInController.look'],
    ],
    'It sets a state, which the second finds set or is refused by.': [
      ...['ApprovalRequestsController.withdraw', 'QueueController.claim', 'QueueController.seen'],
      ...['AutomationsController.withdraw', 'AutomationsController.enable', 'AutomationsController.disable'],
      ...['ChangeRequestsController.confirm', 'ChangeRequestsController.reject', 'ChangeRequestsController.withdraw'],
      ...['CommentsController.readOfRequest', 'CommentsController.readOfChange', 'OutboxController.retry'],
      ...['HaltsController.lift', 'IncidentPagesController.retry', 'IncidentsController.acknowledge'],
      ...['IncidentsController.resolve', 'IncidentsController.review', 'McpServersController.look'],
      ...['McpServersController.accept', 'FactorResetController.reset', 'PlansController.withdraw'],
      ...['ToolCallsController.cancel', 'ToolCallsController.report', 'ToolCallsController.resolve'],
      ...['RunsController.pause', 'RunsController.cancel', 'RunsController.rollBack', 'RunsController.resume'],
      ...['RunsController.resolve', 'RunsController.report', 'RunnersController.revoke', 'SessionsController.end'],
      ...['BrowserSessionsController.signOut', 'TasksController.cancel', 'SecretsController.rotate'],
      ...['WebhookDeliveriesController.resend', 'RunnerController.hello', 'RunnerController.goodbye'],
    ],
    'Its body names the thing, or carries a key.': [
      ...['AutomationWebhookController.receive', 'McpController.post', 'ToolCallsController.submit'],
      ...['SessionToolCallsController.submit', 'ToolCallOutputController.append', 'RunnerController.rotate'],
      ...['RunnerController.take', 'RunnerController.output', 'RunnerController.result'],
      ...['SlackController.interactions', 'SlackController.events', 'SlackController.command'],
    ],
    'It spends a grant, a token or a proof, once.': [
      ...['GrantController.redeem', 'SignInController.bootstrap', 'SignInController.enrol', 'RunnerController.enrol'],
      ...['FactorsController.confirmTotp', 'FactorsController.registerPasskey', 'StepUpsController.prove'],
      ...['PasskeySignInController.signIn', 'PasskeySignInController.accept', 'SlackSettingsController.link'],
    ],
    'The first expires unused, or the second takes its place.': [
      ...['ImpactController.ask', 'FactorsController.enrolTotp', 'FactorsController.passkeyOptions'],
      ...['FactorsController.renewRecoveryCodes', 'StepUpsController.start', 'PasskeySignInController.options'],
    ],
    'Its message may come twice.': [
      ...[
        'EmbedderController.test',
        'IncidentDestinationsController.test',
        'SiemController.test',
        'IssuersController.test',
      ],
      ...['SlackSettingsController.test', 'WebhookDeliveriesController.test'],
    ],
  };
  const keyless = routes().filter(({ method, keyed }) => method === RequestMethod.POST && keyed === undefined);
  expect(keyless.map(({ name }) => name).toSorted()).toEqual(Object.values(harmless).flat().toSorted());
});

describe('Idempotency-Key of a route that is one transaction', () => {
  let agent: HttpAs;
  let taskId: string;

  beforeAll(async () => {
    const equipped = await equippedTenant(api, 9);
    expectStatus(await equipped.admin.put('/v1/autonomy', autonomyDocument(false)), 200);
    agent = api.http((await api.agent(equipped.tenant, await api.person(equipped.tenant, 'DevOpsEngineer'))).token);
  });
  beforeEach(async () => {
    taskId = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
  });

  const submit = (key: string, document: unknown = rolloutPlan()): Promise<Answer> =>
    agent.post(`/v1/tasks/${taskId}/plans`, document, { 'idempotency-key': key });
  const states = async (): Promise<string[]> => {
    const { rows } = await api.db.owner.query<{ state: string }>(
      'select state from plan where task_id = $1 order by revision',
      [taskId],
    );
    return rows.map(({ state }) => state);
  };
  const kept = async (key: string): Promise<number | null | undefined> => {
    const { rows } = await api.db.owner.query<{ status: number | null }>(
      'select response_status as status from idempotency_record where idempotency_key = $1',
      [key],
    );
    return rows[0]?.status;
  };

  it('answers a repetition with the same, and refuses another request', async () => {
    const first = expectStatus(await submit('p1'), 201);
    const second = expectStatus(await submit('p1'), 201);
    expect(second.body).toEqual(first.body);
    expect([first.headers['idempotent-replay'], second.headers['idempotent-replay']]).toEqual([undefined, 'true']);
    const other = await submit('p1', rolloutPlan('web-2026-12'));
    expect([other.status, other.body.code]).toEqual([422, 'idempotency.key_reused']);
    expect(await states()).toEqual(['validated']);
  });

  it('answers as reading the plan does', async () => {
    const submitted = expectStatus(await submit('p-seen'), 201).body as { readonly id: string };
    expect(expectStatus(await agent.get(`/v1/plans/${submitted.id}`), 200).body).toEqual(submitted);
  });

  it('tells those who come at once to wait, and lets one through', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit('p2')));
    const codes = answers.map(({ status, body }) => (status === 201 ? '201' : String(body.code)));
    expect(codes).toContain('201');
    expect(codes.filter((code) => code !== '201').every((code) => code === 'idempotency.in_progress')).toBe(true);
    expect(await states()).toEqual(['validated']);
  });

  it('is given back by a refusal, and the record of the refusal stays', async () => {
    const { phases } = rolloutPlan();
    const invalid = await submit('p3', { phases: [...phases, ...phases] });
    expect([invalid.body.code, await kept('p3')]).toEqual(['plan.invalid', undefined]);
    expectStatus(await submit('p3'), 201);
    expect(await states()).toEqual(['invalid', 'validated']);
  });

  it('is given back by an unexpected error, since nothing of the request was committed', async () => {
    await api.db.owner.query(
      "alter table plan_target add constraint plan_test_check check (target <> 'web-01') not valid",
    );
    const failed = await submit('p4');
    await api.db.owner.query('alter table plan_target drop constraint plan_test_check');
    expect([failed.status, failed.body.code]).toEqual([500, 'internal.unexpected']);
    expect([await states(), await kept('p4')]).toEqual([[], undefined]);
    expectStatus(await submit('p4'), 201);
    expect([await states(), await kept('p4')]).toEqual([['validated'], 201]);
  });

  it('is that of every route that takes a key, but those that act outside the database', () => {
    const apart = routes().flatMap(({ name, keyed }) =>
      keyed?.actsOutside == null ? [] : [[name, keyed.actsOutside]],
    );
    expect(Object.fromEntries(apart)).toEqual({
      'AuditController.rotate': 'It makes a signing key outside the database.',
      'InvitationsController.mail': 'It hands the link to the mail server once the invitation is committed.',
      'PeopleController.mail': 'It hands the link to the mail server once the invitation is committed.',
      'PushSubscriptionsController.subscribe': 'It asks name servers for the address of the push service.',
      'WebhooksController.add': 'It asks name servers for the address of the receiver.',
    });
  });

  it('survives a collision of transactions: the request is tried again as a whole', async () => {
    await api.db.owner.query(`
      create sequence test_attempts;
      grant usage on sequence test_attempts to countersign_app;
      create function test_collide() returns trigger language plpgsql as $$
      begin
        if nextval('test_attempts') = 1 then raise exception 'collided' using errcode = '40001'; end if;
        return new;
      end $$;
      create trigger test_collide before update on idempotency_record for each row execute function test_collide()`);
    const answer = await submit('p5');
    await api.db.owner.query('drop function test_collide cascade; drop sequence test_attempts');
    expectStatus(answer, 201);
    expect([await states(), await kept('p5')]).toEqual([['validated'], 201]);
  });
});
