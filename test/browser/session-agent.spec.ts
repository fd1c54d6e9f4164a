import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expectStatus, type HttpAs, type TestTenant } from '../support/api.js';
import { browserWorld, describeInChromium, STOP_WITHIN_MS, type BrowserWorld } from '../support/browser.js';
import { compiledPackage } from '../support/compiled-package.js';
import { blocksOf, GuideFolder } from '../support/guide.js';
import { until } from '../support/until.js';

const EXAMPLE = resolve('examples/session-agent');
/** The folder that no line of the agent reads: the data folder of the runner. */
const APART = '.countersign-session-agent';
/** Lines of the guide that a person carries out. */
const BY_HAND = ['(umask 077; cat > ~/.countersign-session-agent/ada.token)', '(umask 077; cat > agent.token)'];

let world: BrowserWorld;
let tenant: TestTenant;
let ada: Page;
let admin: HttpAs;
let guide: GuideFolder;

/** Answers the call that waits, on the page of its session. */
async function answer(call: string, verdict: 'Approve' | 'Reject'): Promise<void> {
  await ada.getByText('Waits for an answer:').waitFor();
  await ada.getByText(call).first().waitFor();
  await ada.getByRole('button', { name: `${verdict}…` }).click();
  const dialog = ada.getByRole('dialog');
  if (verdict === 'Reject') await dialog.getByLabel('What is wrong').fill('Not from a laptop.');
  await dialog.getByRole('button', { name: verdict, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describeInChromium('the agent of the guide to sessions', () => {
  beforeAll(async () => {
    world = await browserWorld([{ sub: 'ada', name: 'Ada', groups: ['engineers'] }]);
    await world.startWorker();
    tenant = await world.tenant();
    admin = world.api.http(tenant.admin.token);
    ada = await (await world.context({ viewport: { width: 1350, height: 940 } })).newPage();
    ada.setDefaultTimeout(60_000);
    await world.signIn(ada, tenant, 'Ada', '/sessions');
    const { rows } = await world.api.db.owner.query<{ id: string }>(
      "select person_id as id from credential where tenant_id = $1 and kind = 'browser_session'",
      [tenant.id],
    );
    const owner = { id: rows[0]?.id ?? '', email: '', token: '' } as Parameters<typeof world.api.agent>[1];
    // A machine of tests may have no bubblewrap.
    guide = new GuideFolder({ COUNTERSIGN_URL: world.url, COUNTERSIGN_RUNNER_SANDBOX: 'where_possible' });
    guide.write(join(APART, 'ada.token'), tenant.admin.token);
    guide.write('agent.token', (await world.api.agent(tenant, owner)).token);
  }, 180_000);
  afterAll(async () => {
    await guide.close();
    await world.close();
  }, STOP_WITHIN_MS);

  it('lives a whole session, as a person with the guide sees it', async () => {
    const [said] = await started();
    const tokensIn = (folder: string) => readdirSync(join(guide.path, folder)).filter((name) => name.endsWith('token'));
    expect(['.', 'workspace', APART].map(tokensIn)).toEqual([['agent.token'], [], ['ada.token']]);
    await ada.getByRole('link', { name: /The stricter of tiers and levels/ }).click();
    await answer('file-edit', 'Approve');
    await answer('rollback-checkpoint', 'Approve');
    await answer('kubectl apply -f deployment.yaml', 'Reject');
    const told = await said;
    expect(told).toContain('npm run test fails: 19.99 euros are 1999 cents, and not 1998\n');
    expect(told).toContain('price.mjs is as before');
    expect(told).toMatch(/rm -rf [^]*denied[^]*Tier 3\n/);
    expect(told).toMatch(/kubectl apply [^]*denied: [^]*\(tool_call\.rejected\)\n {2}so nothing is released/);
    expect(told).toMatch(/The session: ended\n$/);
    expect(readFileSync(join(guide.path, 'workspace/price.mjs'), 'utf8')).toBe(
      readFileSync(join(EXAMPLE, 'workspace/price.mjs'), 'utf8'),
    );
    const { items } = expectStatus(await admin.get('/v1/sessions'), 200).body as { items: object[] };
    expect(items).toMatchObject([{ state: 'ended', ended_reason: 'closed' }]);
  }, 240_000);

  it('changes and releases nothing if nobody answers', async () => {
    let over = false;
    const said = guide.run('COUNTERSIGN_TOKEN_FILE=agent.token node agent.mjs').finally(() => (over = true));
    await until(async () => {
      await world.api.db.owner.query(
        "update approval_request set expires_at = clock_timestamp() where tenant_id = $1 and state = 'open'",
        [tenant.id],
      );
      return over;
    });
    const told = await said;
    expect(told).toMatch(/file-edit [^]*denied: [^]*\(tool_call\.approval_timeout\)[^]*rm -rf/);
    expect(told).not.toContain('rollback-checkpoint');
    expect(told).toMatch(/kubectl apply [^]*\(tool_call\.approval_timeout\)\n {2}so nothing is released/);
  }, 90_000);

  /** Carries out the guide up to its last block. @returns the words of the agent, once it has ended. */
  async function started(): Promise<readonly [Promise<string>]> {
    const blocks = blocksOf('docs/sessions.md');
    const last = blocks.findIndex(({ name }) => name === 'agent.mjs');
    expect(readFileSync(join(EXAMPLE, 'agent.mjs'), 'utf8')).toContain(blocks[last]?.code);
    const lines = blocks.slice(0, last).flatMap(({ code }) => code.trim().split('\n'));
    const variables: string[] = [];
    let said = Promise.resolve('');
    for (const line of lines.filter((each) => !BY_HAND.includes(each))) {
      const here = line.replace('http://localhost:8420', world.url);
      const run = [...variables.map((each) => `export ${each}`), here].join('; ');
      if (line.startsWith('export ')) variables.push(here.replace('export ', ''));
      else if (line.startsWith('cp -r ')) await guide.run(`cp -r '${EXAMPLE}/.' .`);
      else if (line.startsWith('npm install '))
        await guide.run(`mkdir node_modules && ln -s '${compiledPackage()}' node_modules/countersign`);
      else if (line.includes('npx countersign-runner')) {
        await guide.serve(`${variables.join(' ')} ${here}`);
        await until(async () => (await admin.get('/v1/runners')).text.includes('"online"'));
      } else if (line.includes('node agent.mjs')) said = guide.run(run);
      else await guide.run(run);
    }
    said.catch(() => undefined);
    return [said];
  }
});
