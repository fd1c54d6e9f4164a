import type { Page } from 'playwright-core';
import { browserWorld, describeInChromium, type BrowserWorld } from '../support/browser.js';
import type { TestTenant } from '../support/api.js';

describeInChromium('somebody else at the browser of a person who signed out', () => {
  let world: BrowserWorld;
  let tenant: TestTenant;
  let sam: Page;

  beforeAll(async () => {
    world = await browserWorld([{ sub: 'sam', name: 'Sam', groups: ['sre-leads'] }]);
    tenant = await world.tenant();
  }, 120_000);
  afterAll(() => world.close());
  beforeEach(async () => {
    sam = await world.page();
    await world.signIn(sam, tenant, 'Sam', '/tasks');
    await sam.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
  });

  const signOut = (): Promise<void> => sam.getByRole('button', { name: 'Sign out' }).click();

  async function seesNothingOf(page: Page): Promise<void> {
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    expect(await page.getByText('Sam').count()).toBe(0);
  }

  it('T77: sees nothing of theirs by going back', async () => {
    await signOut();
    await sam.waitForURL((address) => address.pathname !== '/tasks');
    await sam.goto(`${world.url}/welcome`);
    await sam.goBack();
    await sam.goBack();
    await seesNothingOf(sam);
  });

  it('T77: sees nothing of theirs in another tab', async () => {
    const other = await world.page(sam.context());
    await other.goto(`${world.url}/tasks`);
    await other.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
    await signOut();
    await seesNothingOf(other);
  });
});
