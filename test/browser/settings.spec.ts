import type { Page } from 'playwright-core';
import type { PersonId } from '#lib/kernel';
import { expectStatus, type HttpAs, type TestTenant } from '../support/api.js';
import {
  browserWorld,
  describeInChromium,
  moveTo,
  sayWhy,
  settled,
  withVirtualAuthenticator,
  type BrowserWorld,
} from '../support/browser.js';
import { CHANNELS, localSlack, type LocalSlack } from '../support/local-slack.js';
import { acceptInvitation, browserSessionCookieOf } from '../support/passkey-accounts.js';
import { codeIn, installSlack } from '../support/slack-world.js';
import { fingerprintOf } from '../support/vouching.js';
import { violationsOn } from '../support/violations.js';

let slack: LocalSlack;
let world: BrowserWorld;
let tenant: TestTenant;
let admin: HttpAs;

/** A section of the settings, as Nina sees it. */
async function section(path: string): Promise<Page> {
  const page = await world.pageOf(tenant, 'Nina', `/settings/${path}`);
  await settled(page);
  return page;
}

describeInChromium('settings of a tenant', () => {
  beforeAll(async () => {
    slack = await localSlack({ UNINA: 'Nina' });
    world = await browserWorld([{ sub: 'nina', name: 'Nina', groups: ['admins'] }], {
      slackUrl: slack.url,
      allowedPrivateHosts: ['127.0.0.1:7001'],
    });
    slack.sendTo(world.url);
    tenant = await world.tenant();
    admin = world.api.http(tenant.admin.token);
    await installSlack(world.api, admin, slack);
    await section('slack');
  }, 240_000);
  afterEach(() => {
    expect(world.problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await world.close();
    await slack.close();
  });

  it('say why Slack sent the admin back without an installation', async () => {
    const spent = `${world.url}/slack/oauth/callback?state=spent&error=access_denied`;
    const back = await fetch(spent, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect(back.headers.get('location')).toBe('/settings/slack?problem=slack.state');
    const page = await section('slack?problem=slack.state');
    await page.getByText('That installation was not begun here').waitFor();
  });

  it('shows which Slack account would act as oneself, and links it', async () => {
    const offered = await slack.command('link', 'UNINA', CHANNELS.production);
    expect(offered.status).toBe(200);
    const page = await section(`slack?link=${codeIn(slack.ephemerals)}`);
    await page.getByText('act as you? Say yes only if that is your own account.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Yes, it is mine' }).click();
    await page.getByText('linked', { exact: true }).waitFor();
    await page.waitForURL(`${world.url}/settings/slack`);
  }, 60_000);

  it('says so if a link is not good any more', async () => {
    const page = await section('slack?link=never-offered');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Yes, it is mine' }).count()).toBe(0);
  }, 60_000);

  it('names those on duty', async () => {
    const page = await section('slack');
    await page.getByRole('group', { name: 'On duty' }).getByLabel('Nina').check();
    await page.getByLabel('Channel of production').fill(CHANNELS.production);
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByRole('group', { name: 'On duty' }).getByLabel('Nina').waitFor();
    const kept = () => admin.get('/v1/slack').then(({ body }) => body.on_duty as readonly string[]);
    while ((await kept()).length === 0);
    expect(await kept()).toHaveLength(1);
    await page.getByRole('button', { name: 'Test the connection' }).click();
    const answer = page.getByRole('status', { name: 'What Slack says' });
    await answer.getByText('#production').waitFor();
    await answer.getByText('Test workspace').waitFor();
    expect(await violationsOn(page)).toEqual([]);
  }, 60_000);

  it('keeps where incidents are told, and the routing key of PagerDuty as a secret', async () => {
    const page = await section('incidents');
    await page.getByRole('button', { name: 'Add a destination' }).click();
    await page.getByLabel('Destination 1', { exact: true }).fill('security-team');
    await page.getByLabel('Reached at (1)').fill('C012AB3CD, security@example.com');
    await page.getByLabel('Days until the review').fill('3');
    await page.getByLabel('Send incidents on to PagerDuty').check();
    await page.getByLabel('Routing key').fill('R0123456789ABCDEF0123456789ABCDE');
    await page.getByLabel('Address').fill('http://127.0.0.1:7001/v2/enqueue');
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(expectStatus(await admin.get('/v1/incident-settings'), 200).body).toEqual({
      destinations: { 'security-team': ['C012AB3CD', 'security@example.com'] },
      review_days: 3,
      pagerduty: {
        routing_key: { $secret: 'pagerduty-routing-key@1' },
        url: 'http://127.0.0.1:7001/v2/enqueue',
      },
    });
  }, 60_000);

  it('lists the messages that stop before it removes the workspace of Slack', async () => {
    const page = await section('slack');
    await page.getByRole('button', { name: 'Remove…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the Slack workspace' });
    await dialog.getByText('Incidents, break-glass and overdue reviews no longer reach security-team').waitFor();
    await dialog.getByText(`${CHANNELS.production} no longer hears of production.`).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await admin.get('/v1/slack')).body.installation).not.toBeNull();
    await page.getByRole('button', { name: 'Remove…' }).click();
    await dialog.getByRole('button', { name: 'Remove the workspace' }).click();
    await page.getByText('Not installed.').waitFor();
    expect((await admin.get('/v1/slack')).body.installation).toBeNull();
    await moveTo(page, '/settings/incidents');
    await page.getByText('Slack is not connected: an admin connects it under Settings, Slack.').waitFor();
  }, 60_000);

  it('takes issuers field by field, refuses one that is not there, and has a looser mapping wait', async () => {
    const page = await section('sign-in');
    await page.getByRole('button', { name: 'Test Demo issuer' }).click();
    await page.getByText(/^It works: its description and \d+ keys? can be read\.$/).waitFor();
    await page.getByLabel('A browser session ends after (minutes)').fill('90');
    await page.getByText('1 hour 30 minutes, even if it is in use.').waitFor();
    await page.getByLabel('A browser session ends after (minutes)').fill('720');
    await page.getByText('12 hours, even if it is in use.').waitFor();
    await page.getByRole('button', { name: 'Add an issuer' }).click();
    const added = page.getByRole('group', { name: 'New issuer' });
    await added.getByLabel('Short name').fill('corporate');
    await added.getByLabel('Issuer address').fill('https://login.example.invalid');
    await added.getByLabel('Client id').fill('countersign');
    await added.getByLabel('Client secret').fill('a-secret-of-the-issuer');
    expect(await violationsOn(page)).toEqual([]);
    await added.getByLabel('Shown as').fill('Corporate');
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByRole('alert').getByText('/issuers/1').waitFor();
    await page.getByRole('group', { name: 'Corporate' }).getByRole('button', { name: 'Remove this issuer' }).click();

    const demo = page.getByRole('group', { name: 'Demo issuer' });
    await demo.getByRole('button', { name: 'Map a value to a role' }).click();
    await demo.getByLabel('Value 4').fill('everybody');
    await demo.getByLabel('Role 4').selectOption('SRELead');
    await page.getByRole('button', { name: 'Put in force' }).click();
    await sayWhy(page);
    await page.getByRole('link', { name: 'See the change' }).click();
    await page.getByRole('heading', { name: 'What it loosens' }).waitFor();
    await page
      .getByText(/everybody/)
      .first()
      .waitFor();
  }, 60_000);

  it('hands an agent over to somebody else, which waits for a second person', async () => {
    expectStatus(await admin.post('/v1/agents', { name: 'restart-bot', owner_id: tenant.admin.id }), 201);
    const page = await section('agents');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'restart-bot' })
      .getByRole('button', { name: 'Hand over' })
      .click();
    const next = page.getByLabel('Who answers for restart-bot from now on');
    expect(await next.getByRole('option', { name: 'Nina' }).count()).toBe(1);
    await next.selectOption({ label: 'Nina' });
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Hand over' }).last().click();
    expect(await violationsOn(page)).toEqual([]);
    await sayWhy(page);
    await page.getByText('This loosens, so it waits for a second person.').waitFor();
    await page.getByRole('link', { name: 'See the change' }).click();
    await page.getByRole('heading', { level: 1, name: /restart-bot/ }).waitFor();
  }, 60_000);

  it('delegates one’s roles for an absence, and takes them back', async () => {
    const page = await section('absences');
    await page.getByText('Nobody is away.').waitFor();
    const delegate = page.getByLabel('Who stands in', { exact: true });
    await delegate.selectOption({ index: 1 });
    await page.getByLabel('Until').fill('2100-01-04T06:00');
    await page.getByRole('button', { name: 'Delegate my roles' }).click();
    const refused = await page.getByRole('alert').innerText();
    expect(refused.match(/It ends after/g)).toHaveLength(1);
    await page.getByText('not those that are open already').waitFor();
    const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
    await page.getByLabel('Until').fill(inThreeDays);
    await page.getByRole('button', { name: 'Delegate my roles' }).click();
    await page.getByText('in force', { exact: true }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: /^Take back/ }).click();
    await page.getByText('taken back', { exact: true }).waitFor();
    const { items } = (await admin.get('/v1/absences')).body as { items: { ended_at: string | null }[] };
    expect(items.map(({ ended_at: ended }) => ended !== null)).toEqual([true]);
  }, 60_000);

  it('changes where tools are executed, which waits for a second person', async () => {
    const page = await section('environments');
    await page.getByRole('button', { name: 'Add an executor to production' }).click();
    await page.getByLabel('Executor', { exact: true }).fill('fleet');
    await page.getByLabel('Address').fill('http://127.0.0.1:7001/tools');
    await page.getByLabel('Bearer token').fill('a-token-of-the-fleet');
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Put in force' }).click();
    await sayWhy(page);
    const link = page.getByRole('link', { name: 'See the change' });
    const change = (await link.getAttribute('href'))?.replace('/changes/', '') ?? '';
    await page.getByText('This loosens, so it waits for a second person.').waitFor();
    expectStatus(await admin.post(`/v1/change-requests/${change}/reject`, { comment: 'not this fleet' }), 200);
    await page.getByText('so it waited for a second person. It is rejected.', { exact: false }).waitFor();
  }, 60_000);

  it('vouches for a person with the passkey that was compared, and first warns of the sign-out', async () => {
    const invited = async (name: string): Promise<{ readonly id: PersonId; readonly link: string }> => {
      const added = await admin.post('/v1/people', { email: `${name}@example.com`, display_name: name });
      const { id } = expectStatus(added, 201).body as { id: PersonId };
      const { body } = expectStatus(await admin.post(`/v1/people/${id}/enrolment`), 201);
      return { id, link: body.enrolment_token as string };
    };
    const { link: miasLink } = await invited('Mia');
    const first = { enrolment_token: miasLink, name: 'first' };
    expectStatus(await world.api.http().post('/v1/enrolment', first), 201);
    const lea = await invited('Lea');
    const site = { origin: world.url, rpId: 'localhost' };
    const { answer } = await acceptInvitation(world.api, lea.link, { site });
    const cookie = browserSessionCookieOf(expectStatus(answer, 201));

    const factors = await section('factors');
    await withVirtualAuthenticator(factors);
    await factors.getByRole('button', { name: 'Add a passkey' }).click();
    await factors.getByRole('button', { name: 'Make a passkey' }).click();
    await factors.getByText('Done. It counts from now on.').waitFor();

    const vouch = async (name: string) => {
      await moveTo(factors, '/settings/people');
      const row = factors.getByRole('listitem').filter({ hasText: `${name}@example.com` });
      await row.getByRole('button', { name: 'Vouch for them' }).click();
      return factors.getByRole('dialog', { name: `Vouch for ${name}` });
    };
    await (await vouch('Mia')).getByText('Mia has no passkey yet.').waitFor();
    const fingerprint = await fingerprintOf(world.api, { id: lea.id, token: tenant.admin.token });
    const dialog = await vouch('Lea');
    await dialog.getByText('Lea is signed out and keeps this passkey alone.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Use my passkey' }).count()).toBe(0);
    await dialog.getByRole('radio', { name: fingerprint }).check();
    await dialog.getByRole('button', { name: 'Use my passkey' }).waitFor();
    expect(await violationsOn(factors)).toEqual([]);
    await dialog.getByRole('button', { name: 'Use my passkey' }).click();
    await dialog.waitFor({ state: 'detached' });
    await factors.getByText('Nina vouched for them').waitFor();
    expect((await world.api.http().get('/v1/browser-sessions/current', { cookie })).body).toMatchObject({
      signed_in: false,
    });
  }, 90_000);
});
