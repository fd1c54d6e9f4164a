import { mkdirSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import {
  browserWorld,
  describeInChromium,
  moveTo,
  settled,
  withVirtualAuthenticator,
  type BrowserWorld,
} from '../support/browser.js';
import { violationsAnywhere, violationsOn } from '../support/violations.js';

const PICTURES = process.env.COUNTERSIGN_TEST_PICTURES;

/**
 * The findings of axe on the page, and pictures of it if they are asked for. The page is seen wide, on a phone and in the dark.
 *
 * @param look how axe looks at it. A page that was looked at anywhere before differs from that one in its text alone.
 */
async function inspect(page: Page, name: string, look = violationsAnywhere): Promise<void> {
  expect(await look(page)).toEqual([]);
  if (PICTURES === undefined) return;
  await picture(page, `${name}-light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, `${name}-phone`);
  if (before !== null) await page.setViewportSize(before);
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

describeInChromium('first use, without an identity provider', () => {
  let world: BrowserWorld;
  let adas: BrowserContext;
  let ada: Page;
  /** The address of every request of the browsers: no secret of an invitation stands in one. */
  const addresses: string[] = [];

  beforeAll(async () => {
    world = await browserWorld([]);
    adas = await world.context();
    ada = await newPage(adas);
  }, 120_000);
  afterAll(() => world.close());

  async function newPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on('request', (request) => addresses.push(request.url().split('#')[0] ?? ''));
    await withVirtualAuthenticator(page);
    return page;
  }

  it('founds the organisation, registers a passkey, and is signed in', async () => {
    const { token } = await world.api.installation.identity.issueBootstrapToken.execute();
    await ada.goto(world.url);
    await ada.waitForURL(`${world.url}/found`);
    await ada.getByRole('heading', { name: 'Set up Countersign' }).waitFor();
    await inspect(ada, 'found');
    await ada.getByLabel('Bootstrap token').fill(`${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`);
    await ada.getByLabel('Organisation').fill('Acme & Söhne');
    await ada.getByLabel('Your name').fill('Ada');
    await ada.getByLabel('Your e-mail').fill('ada@acme.example');
    await expect(ada.getByLabel('Short name').inputValue()).resolves.toBe('acme-sohne');
    await ada.getByLabel('Short name').fill('acme');
    await ada.getByRole('button', { name: 'Continue' }).click();
    await ada.getByText('This bootstrap token opens nothing').waitFor();
    await inspect(ada, 'found-refused', violationsOn);
    await ada.getByLabel('Bootstrap token').fill(token);
    await ada.getByRole('button', { name: 'Continue' }).click();
    await ada.getByRole('heading', { name: 'Make your passkey, Ada' }).waitFor();
    await inspect(ada, 'passkey');
    // A reload keeps the step.
    await ada.reload();
    await ada.getByRole('button', { name: 'Make a passkey' }).click();
    await ada.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    await inspect(ada, 'recovery-codes');
    const [file] = await Promise.all([
      ada.waitForEvent('download'),
      ada.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('countersign-recovery-codes.txt');
    expect(await ada.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    await ada.getByLabel('I have saved them').check();
    await ada.getByRole('button', { name: 'Continue' }).click();
    await ada.waitForURL(`${world.url}/`);
    await settled(ada);
    await picture(ada, 'signed-in');
  }, 120_000);

  it('signs in again with the passkey alone', async () => {
    await adas.clearCookies();
    await ada.goto(world.url);
    await ada.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await inspect(ada, 'sign-in');
    await ada.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await ada.waitForURL(`${world.url}/`);
    await settled(ada);
  }, 60_000);

  it('shows on a page of their own the keys by which somebody’s approvals are checked', async () => {
    await moveTo(ada, '/settings/people');
    await ada.getByRole('link', { name: 'Ada', exact: true }).click();
    await ada.waitForURL(/\/people\/[0-9a-f-]{36}$/);
    await ada.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
    const id = ada.url().split('/').at(-1) ?? '';
    expect(await ada.getByLabel('Fingerprint').innerText()).toMatch(/^(\d{5} ){5}\d{5}$/);
    const line = await ada.getByRole('listitem').getByText(id).innerText();
    const [, credential = ''] = line.split(' ');
    await ada.getByText(`Credential ${credential}`).waitFor();
    await ada.getByText('nothing yet').waitFor({ state: 'detached' });
    await inspect(ada, 'person');
    await moveTo(ada, '/people/01a20000-0000-7000-8000-000000000001');
    await ada.getByRole('link', { name: 'People and roles' }).waitFor();
  }, 60_000);

  it('invites a person by a link that works once, in a browser of their own', async () => {
    await moveTo(ada, '/settings/people');
    await ada.getByRole('heading', { name: 'Invite somebody' }).waitFor();
    await ada.getByLabel('E-mail').fill('mia@acme.example');
    await ada.getByLabel('Name', { exact: true }).fill('Mia');
    await ada.getByRole('checkbox', { name: 'SRELead' }).check();
    await ada.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await ada.getByTestId('invitation-link').innerText();
    expect(link).toMatch(/^http:\/\/localhost:\d+\/invitation#cs_e_/);
    await ada.getByText('one vote', { exact: false }).first().waitFor();
    await inspect(ada, 'invited', violationsOn);

    const mias = await world.context();
    const mia = await newPage(mias);
    await mia.goto(link);
    await mia.getByRole('heading', { name: 'You are invited to Countersign' }).waitFor();
    await mia.reload();
    await mia.getByRole('heading', { name: 'You are invited to Countersign' }).waitFor();
    await inspect(mia, 'invitation');
    await mia.getByRole('button', { name: 'Open the invitation' }).click();
    await mia.getByRole('heading', { name: 'Welcome, Mia' }).waitFor();
    await mia.getByText('SRELead').waitFor();
    await inspect(mia, 'invitation-open');
    await mia.getByRole('button', { name: 'Make a passkey' }).click();
    await mia.getByLabel('I have saved them').check();
    await mia.getByRole('button', { name: 'Continue' }).click();
    await mia.waitForURL(`${world.url}/`);
    await moveTo(mia, '/inbox');
    await settled(mia);
    await mia.getByRole('heading', { name: 'Inbox' }).waitFor();

    const another = await newPage(await world.context());
    await another.goto(link);
    await another.getByRole('button', { name: 'Open the invitation' }).click();
    await another.getByRole('heading', { name: 'This invitation opens nothing any more' }).waitFor();
    await inspect(another, 'invitation-over');
    await another.goto(`${world.url}/invitation`);
    await another.getByRole('heading', { name: 'This link is not whole' }).waitFor();
    await inspect(another, 'invitation-not-whole', violationsOn);
    expect(addresses.filter((address) => address.includes('cs_e_') || address.includes('cs_b_'))).toEqual([]);
  }, 120_000);
});
