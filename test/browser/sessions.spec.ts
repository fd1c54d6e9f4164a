import type { Page } from 'playwright-core';
import type { PersonId } from '#lib/kernel';
import { trustedCall } from '../support/agent-session.js';
import { expectStatus, type HttpAs, type TestTenant } from '../support/api.js';
import {
  browserWorld,
  describeInChromium,
  goWithoutLoad,
  moveTo,
  settled,
  type BrowserWorld,
} from '../support/browser.js';
import { SHELL_CATALOG } from '../support/shell-catalog.js';
import { violationsAnywhere, violationsOn } from '../support/violations.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development:
      mode: full_auto
`;

const NOTE = `
  note:
    risk: state_change_nonprod
    idempotent: true
    scope: asset
    description: Writes a note
    requires_plan: false
    effect: modify
    simulation: not_applicable
    identity_fields: [/name]
    surface: workspace
    path_arguments: { writes: [/name] }
    executor: fleet
    parameters:
      type: object
      additionalProperties: false
      required: [name, text]
      properties: { name: { type: string, maxLength: 100 }, text: { type: string, maxLength: 10000 } }
`;

let world: BrowserWorld;
let tenant: TestTenant;
let agent: HttpAs;
let session: string;
/** The accountable owner of the agent. */
let ada: PersonId;
/** Of Ada; the tests share it. */
let page: Page;

const called = async (command: string, reason?: string): Promise<void> => {
  const body = { tool: 'shell', arguments: { command }, ...(reason === undefined ? {} : { reason }) };
  expectStatus(await agent.post(`/v1/sessions/${session}/tool-calls`, body), 201);
};

/** Keeps a picture, if a folder for it is named. */
const shown = async (of: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (folder !== undefined) await of.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

describeInChromium('the sessions of agents', () => {
  beforeAll(async () => {
    world = await browserWorld([
      { sub: 'ada', name: 'Ada', groups: ['admins'] },
      { sub: 'bob', name: 'Bob', groups: ['sre-leads'] },
    ]);
    const { api } = world;
    tenant = await world.tenant();
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/tools', SHELL_CATALOG + NOTE), 200);
    expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
    // The agent makes the calls itself, and reports.
    expectStatus(await admin.put('/v1/environments/development/executors/fleet', { kind: 'agent' }), 200);
    page = await world.page({ viewport: { width: 1350, height: 940 } });
    await world.signIn(page, tenant, 'Ada', '/sessions');
    const { rows } = await api.db.owner.query<{ id: PersonId }>(
      "select person_id as id from credential where tenant_id = $1 and kind = 'browser_session'",
      [tenant.id],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('Ada is not signed in');
    ada = row.id;
    agent = api.http((await api.agent(tenant, { id: ada, email: '', token: '' })).token);
    const body = { environment: 'development', level: 'CAUTIOUS', model: 'a model' };
    session = expectStatus(await agent.post('/v1/sessions', body), 201).body.id as string;
    await called('git status', 'I look for the changed files.');
    await called('ls -l && rm -rf / | sudo tee /etc/passwd', 'I clean up.\nIt is safe.');
    await called('frobnicate --hard $(cat notes.txt)');
    await called('cp \u05D0 \u05D1 && rm -rf /');
  }, 180_000);
  afterAll(() => world.close());

  it('are listed, and each is shown live: calls with their verdicts, controls, and “always”', async () => {
    await moveTo(page, '/sessions');
    await page.getByRole('link', { name: /The stricter of tiers and levels. Cautious/ }).waitFor();
    await settled(page);
    expect(await violationsAnywhere(page)).toEqual([]);
    await shown(page, 'sessions');
    await page.getByRole('link', { name: /The stricter of tiers and levels. Cautious/ }).click();
    await page.waitForURL(`**/sessions/${session}`);
    await page.getByText('rm deletes', { exact: false }).first().waitFor();
    await page.getByText('I clean up.', { exact: false }).waitFor();
    await page.getByText('Trust the call, not this text', { exact: false }).first().waitFor();
    await page.getByText('Tier 3, acts with other rights').first().waitFor();
    // Drawn as it stands, it would read as `cp ב א`.
    const drawn = page.getByRole('group', { name: 'Command line' }).filter({ hasText: 'cp U+05D0' });
    expect(await drawn.locator('pre').innerText()).toBe('cp U+05D0 U+05D1 && rm -rf /');
    // A call of this moment appears by itself.
    await called('git diff');
    await page.getByText('git diff', { exact: true }).first().waitFor();
    await settled(page);
    await shown(page, 'session');
    expect(await violationsAnywhere(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await shown(page, 'session-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 390, height: 844 });
    await shown(page, 'session-phone');
    await page.setViewportSize({ width: 1350, height: 940 });

    await page.getByRole('button', { name: 'Which calls ask…' }).click();
    await page.getByLabel('Level').selectOption('MANUAL');
    await page.getByLabel('Most calls of the session').fill('900');
    await shown(page, 'session-settings');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('The stricter of tiers and levels. Manual: every call asks').waitFor();
    await page.getByText('5 of 900', { exact: true }).waitFor();

    const shape = '{"program":"git","subcommand":"diff"}';
    await trustedCall(world.api, tenant, ada, session, { tool: 'shell', shape });
    await page.getByRole('button', { name: 'Take back “always” for shell' }).click();
    await page.getByText('Nobody answered a call with “always”', { exact: false }).waitFor();

    await page.getByRole('button', { name: 'End…' }).click();
    await page.getByLabel('Something is wrong').check();
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByRole('button', { name: 'End…' }).waitFor({ state: 'detached' });
    const ended = expectStatus(await agent.get(`/v1/sessions/${session}`), 200).body;
    expect(ended).toMatchObject({ state: 'ended', ended_reason: 'cancelled', level: 'MANUAL' });
  }, 120_000);

  it('show a call that waits first, in the inbox too; its answer and its outcome stand on the pages', async () => {
    const body = { environment: 'development', preset: 'levels', level: 'MANUAL' };
    const asking = expectStatus(await agent.post('/v1/sessions', body), 201).body.id as string;
    const ask = async (command: string): Promise<string> => {
      const call = { tool: 'shell', arguments: { command }, reason: 'I want to know it.' };
      return expectStatus(await agent.post(`/v1/sessions/${asking}/tool-calls`, call), 201).body.id as string;
    };
    await moveTo(page, `/sessions/${asking}`);
    await page.getByText('No tool was called in this session.').waitFor();
    const first = await ask('npm test');
    const waiting = page.getByRole('region', { name: /Waits for an answer/ });
    await waiting.getByRole('button', { name: 'Approve…' }).waitFor();
    expect(await waiting.getByRole('timer').innerText()).toMatch(/left$/);
    // Several calls can wait, each with these buttons: a screen reader says the call with each.
    const effect = waiting.getByRole('paragraph').filter({ hasText: /^shell executes in development/ });
    const calls = await effect.getAttribute('id');
    for (const name of ['Approve…', 'Reject…'])
      expect(await waiting.getByRole('button', { name }).getAttribute('aria-describedby')).toBe(calls);
    expect(calls).not.toBeNull();
    expect(await waiting.innerText()).toMatch(
      /terminal-write[^]*shell executes in development \(Tier 2, BUILD_TEST[^]*Approve…/,
    );
    await settled(page);
    await shown(page, 'pending');
    expect(await violationsAnywhere(page)).toEqual([]);
    await moveTo(page, '/inbox');
    await page.getByRole('link', { name: /shell/ }).first().waitFor();
    await settled(page);
    await shown(page, 'pending-inbox');
    await page.getByRole('link', { name: /shell/ }).first().click();
    await page.getByText('Allowed with the last approval', { exact: false }).waitFor();
    await page.getByText('npm test executes scripts of package.json.').waitFor();
    await settled(page);
    await shown(page, 'pending-request');
    await moveTo(page, `/sessions/${asking}`);
    await waiting.getByRole('button', { name: 'Approve…' }).click();
    await page.getByText('Always allow calls like this one in this session').waitFor();
    expect(await page.getByRole('dialog').getByRole('definition').allInnerTexts()).toContain('"test"');
    await shown(page, 'pending-approve');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('approved', { exact: true }).waitFor();
    await waiting.waitFor({ state: 'detached' });
    const { body: made } = await agent.get(`/v1/tool-calls/${first}`);
    expect(made).toMatchObject({ decided_as: 'approved', outcome: 'executing' });

    const lines = Array.from({ length: 30 }, (_, at) => `ok ${String(at + 1)} a test\n`).join('');
    const chunks = [
      { stream: 'stdout', text: lines },
      { stream: 'stderr', text: 'not ok 31 price\u202egnp.exe\n' },
    ];
    expectStatus(await agent.post(`/v1/tool-calls/${first}/output`, { first_seq: 1, chunks }), 200);
    await page.getByText('not ok 31 price', { exact: false }).waitFor();
    const result = { exit_status: 1, checks: [{ script: 'test', passed: false, output: 'not ok\n' }] };
    const report = { outcome: 'succeeded', jti: first, arguments_digest: made.arguments_digest, result };
    expectStatus(await agent.post(`/v1/tool-calls/${first}/result`, report), 200);
    await page.getByText('exit status 1').waitFor();
    await page.getByText('check test failed').waitFor();
    // Of a long output the end stands there; characters that hide are named.
    const output = page.getByLabel('Output', { exact: true });
    expect(await output.innerText()).toMatch(/^ok 20 a test\n[^]*not ok 31 price\s*U\+202E\s*gnp\.exe/);
    await shown(page, 'results');
    await page.getByRole('button', { name: 'Show 19 more lines' }).click();
    expect(await output.innerText()).toMatch(/^ok 1 a test\n/);
    await page.getByText('Answer of the tool').click();
    await settled(page);
    await shown(page, 'results-whole');
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Who answered' }).click();
    const outcome = page.getByRole('region', { name: 'What came of it' });
    await outcome.getByText('exit status 1').waitFor();
    await outcome.getByText('not ok 31 price', { exact: false }).waitFor();
    await shown(page, 'results-request');
    await moveTo(page, `/sessions/${asking}`);

    // An output that has ended is read once, however many calls follow.
    await output.waitFor();
    const readAgain: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes(`/v1/tool-calls/${first}/output`)) readAgain.push(request.url());
    });
    // The next call waits behind more newer calls than a page of the list has.
    const all = ({ pathname, searchParams }: URL): boolean =>
      pathname.endsWith('/tool-calls') && !searchParams.has('state');
    await page.route(all, (route) => route.fulfill({ json: { items: [], next_cursor: null } }));
    const second = await ask('npm publish');
    await waiting.getByRole('button', { name: 'Reject…' }).click();
    await page.unroute(all);
    await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText('rejected', { exact: true }).waitFor();
    expect((await agent.get(`/v1/tool-calls/${second}`)).body).toMatchObject({ decided_as: 'rejected' });
    // The list was empty meanwhile: the output is there again before the next call follows.
    await output.waitFor();
    await settled(page);

    // T60: a text that is partly folded cannot be approved.
    const note = { tool: 'note', arguments: { name: 'todo', text: 'a line\n'.repeat(30) } };
    expectStatus(await agent.post(`/v1/sessions/${asking}/tool-calls`, note), 201);
    await waiting.getByRole('button', { name: 'Approve…' }).click();
    const approving = page.getByRole('dialog');
    expect(await approving.innerText()).toMatch(/^Approve\s+note changes \S+ in development\.\n/);
    const approve = approving.getByRole('button', { name: 'Approve', exact: true });
    expect(await approve.isDisabled()).toBe(true);
    await approve.press('Enter');
    await approving.getByRole('button', { name: 'Show all of it' }).click();
    await approve.click();
    await waiting.waitFor({ state: 'detached' });
    await settled(page);
    expect(await output.isVisible()).toBe(true);
    expect(readAgain).toEqual([]);

    // The verdict on a path stands in the prompt, and beside category and effect once the call is decided.
    const hook = { tool: 'note', arguments: { name: '.git/hooks/pre-commit', text: 'a line\n' } };
    expectStatus(await agent.post(`/v1/sessions/${asking}/tool-calls`, hook), 201);
    const verdict = /^Paths\s+Tier 2, [^]*Another program executes, obeys or trusts/;
    expect(await waiting.getByRole('group', { name: 'Paths' }).innerText()).toMatch(verdict);
    await waiting.getByRole('button', { name: 'Reject…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click();
    await waiting.waitFor({ state: 'detached' });
    const refused = page.getByRole('listitem').filter({ hasText: '.git/hooks/pre-commit' });
    expect(await refused.getByRole('group', { name: 'Paths' }).innerText()).toMatch(verdict);
    expect(await refused.innerText()).toMatch(
      /note\s+rejected[^]*workspace-write[^]*note changes [^]* in development\./,
    );
    await settled(page);
    await shown(page, 'paths');

    await ask('git diff --stat');
    await waiting.getByRole('button', { name: 'Approve…' }).click();
    await page.getByLabel('Always allow calls like this one').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('button', { name: 'Take back “always” for shell' }).waitFor();
    const trusted = await ask('git diff --stat');
    expect((await agent.get(`/v1/tool-calls/${trusted}`)).body).toMatchObject({ decided_as: 'trusted' });
    await page.getByText('allowed by “always”', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Which calls ask…' }).click();
    await page.getByLabel('Rules').selectOption('cautious');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('Nobody answered a call with “always”', { exact: false }).waitFor();
    const destroys = await ask('rm build/a');
    await waiting.getByRole('button', { name: 'Approve…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type CONFIRM to approve').fill('confirm');
    expect(await dialog.getByLabel('Always allow calls like this one').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await dialog.getByText('It is approved only with the word CONFIRM.', { exact: false }).waitFor();
    await shown(page, 'confirm');
    await dialog.getByLabel('Type CONFIRM to approve').fill('CONFIRM');
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await waiting.waitFor({ state: 'detached' });
    expect((await agent.get(`/v1/tool-calls/${destroys}`)).body).toMatchObject({ decided_as: 'approved' });
  }, 120_000);

  it('tell the reader of an open dialog who answered meanwhile, and whether the reader did', async () => {
    const body = { environment: 'development', preset: 'levels', level: 'MANUAL' };
    const asking = expectStatus(await agent.post('/v1/sessions', body), 201).body.id as string;
    const ask = async (command: string): Promise<{ readonly id: string; readonly request_id: string }> => {
      const call = { tool: 'shell', arguments: { command } };
      const { id, request_id } = expectStatus(await agent.post(`/v1/sessions/${asking}/tool-calls`, call), 201).body;
      return { id: id as string, request_id: request_id as string };
    };
    /** Rejects it as the person of that page, but not in a dialog. */
    const answerElsewhere = (of: Page, request: string, comment: string): Promise<number> =>
      of.evaluate(
        async ([id, said]) => {
          const current = await fetch('/v1/browser-sessions/current');
          const { csrf_token: csrf } = (await current.json()) as { csrf_token: string };
          const path = `/v1/approval-requests/${id}`;
          const { subject } = (await (await fetch(path)).json()) as { subject: { digest: string } };
          const sent = await fetch(`${path}/reviews`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-countersign-csrf': csrf },
            body: JSON.stringify({ verdict: 'reject', subject_digest: subject.digest, comment: said }),
          });
          return sent.status;
        },
        [request, comment] as const,
      );
    await moveTo(page, `/sessions/${asking}`);
    const waiting = page.getByRole('region', { name: /Waits for an answer/ });
    const dialog = page.getByRole('dialog');

    const answering = async (command: string): Promise<string> => {
      const { request_id: request } = await ask(command);
      await waiting.getByRole('button', { name: 'Approve…' }).click();
      await dialog.getByLabel('Comment').fill('It looks right to me.');
      return request;
    };
    const close = async (): Promise<void> => {
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await waiting.waitFor({ state: 'detached' });
    };

    const bob = await world.pageOf(tenant, 'Bob', '/sessions');
    expect(await answerElsewhere(bob, await answering('npm test'), 'Not today.')).toBe(201);
    await dialog.getByRole('heading', { name: 'Answered meanwhile' }).waitFor();
    expect(await dialog.innerText()).toMatch(
      /You gave no answer[^]*Bob[^]*Not today\.[^]*Your comment was not sent\s+It looks right to me\./,
    );
    await settled(page);
    await shown(page, 'answered-meanwhile');
    expect(await violationsOn(page)).toEqual([]);
    await close();

    // The reader answers in another tab of the same browser.
    expect(await answerElsewhere(page, await answering('npm start'), 'Not today.')).toBe(201);
    await dialog.getByRole('heading', { name: 'Answered meanwhile' }).waitFor();
    expect(await dialog.innerText()).toMatch(
      /You answered: you rejected it\.[^]*Ada[^]*Not today\.[^]*does not have this comment word for word\s+It looks right to me\./,
    );
    await shown(page, 'answered-elsewhere');
    await close();

    // The answer is kept, but its response is lost.
    const lost = await answering('npm run lint');
    const reviews = `**/v1/approval-requests/${lost}/reviews`;
    await page.route(reviews, async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502 });
    });
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await dialog.getByText('You answered: you approved it.', { exact: false }).waitFor();
    await page.unroute(reviews);
    expect((await dialog.innerText()).split('It looks right to me.')).toHaveLength(2);
    await shown(page, 'answer-lost');
    await close();

    const second = await ask('npm publish');
    await waiting.getByRole('button', { name: 'Reject…' }).click();
    expectStatus(await agent.post(`/v1/tool-calls/${second.id}/cancel`), 200);
    await dialog.getByRole('heading', { name: 'Closed meanwhile' }).waitFor();
    await shown(page, 'closed-meanwhile');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await waiting.waitFor({ state: 'detached' });

    // The page of the request does the same, and opens no dialog about a request that had closed before.
    const third = await ask('npm run build');
    // The page of another session shows no call of this one.
    await waiting.getByRole('button', { name: 'Approve…' }).click();
    await dialog.waitFor();
    await goWithoutLoad(page, `/sessions/${session}`);
    await dialog.waitFor({ state: 'detached' });
    expect(await waiting.filter({ hasText: 'npm run build' }).count()).toBe(0);
    await moveTo(page, `/requests/${third.request_id}`);
    await page.getByRole('button', { name: 'Approve…' }).click();
    expectStatus(await agent.post(`/v1/tool-calls/${third.id}/cancel`), 200);
    await dialog.getByRole('heading', { name: 'Closed meanwhile' }).waitFor();
    await moveTo(page, `/requests/${third.request_id}?review=approve`);
    await page.getByRole('heading', { name: 'Decision' }).waitFor();
    expect(await dialog.count()).toBe(0);
  }, 120_000);

  it('have their commands in one list for security review, with filters; others are told which role opens it', async () => {
    await moveTo(page, '/commands');
    await page.getByRole('link', { name: /frobnicate/ }).waitFor();
    await settled(page);
    await shown(page, 'commands');
    expect(await violationsAnywhere(page)).toEqual([]);
    await page.getByLabel('Tier').selectOption('3');
    await page.getByRole('link', { name: /frobnicate/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /sudo tee/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?tier=3');
    await page.getByLabel('Class').selectOption('READ_ONLY');
    await page.getByText('Nothing matches').waitFor();
    // Ada ended the session, and so denied this call of the agent.
    await moveTo(page, '/commands?decision=cancelled');
    await page.getByLabel('Agent').selectOption({ index: 1 });
    await page.waitForURL(/agent_id=/);
    await settled(page);
    await page.getByRole('link', { name: /frobnicate/ }).waitFor();
    const bob = await world.pageOf(tenant, 'Bob', '/commands');
    await bob.getByText('Your roles do not open the audit log').waitFor();
  }, 120_000);

  it('read the output of a call once a reader comes near it', async () => {
    const opened = await agent.post('/v1/sessions', { environment: 'development' });
    const long = expectStatus(opened, 201).body.id as string;
    for (let at = 0; at < 20; at += 1) {
      const call = { tool: 'shell', arguments: { command: 'git status' }, client_call_id: `call ${String(at)}` };
      const { id } = expectStatus(await agent.post(`/v1/sessions/${long}/tool-calls`, call), 201).body;
      const { body: made } = await agent.get(`/v1/tool-calls/${String(id)}`);
      const chunks = [{ stream: 'stdout', text: `output ${String(at)}.\n` }];
      expectStatus(await agent.post(`/v1/tool-calls/${String(id)}/output`, { first_seq: 1, chunks }), 200);
      const report = { outcome: 'succeeded', jti: id, arguments_digest: made.arguments_digest, result: null };
      expectStatus(await agent.post(`/v1/tool-calls/${String(id)}/result`, report), 200);
    }
    const read = new Set<string>();
    page.on('request', (request) => {
      const [, id] = /tool-calls\/([^/]+)\/output/.exec(request.url()) ?? [];
      if (id !== undefined) read.add(id);
    });
    await page.setViewportSize({ width: 1350, height: 300 });
    await moveTo(page, `/sessions/${long}`);
    await page.getByText('output 19.').waitFor();
    await settled(page);
    expect(read.size).toBeLessThan(15);
    await page.getByRole('listitem').filter({ hasText: 'git status' }).last().scrollIntoViewIfNeeded();
    await page.getByText('output 0.').waitFor();
  }, 120_000);
});
