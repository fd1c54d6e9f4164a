import type { Page, Request } from 'playwright-core';
import { browserWorld, describeInChromium, type BrowserWorld } from '../support/browser.js';
import type { TestTenant } from '../support/api.js';
import { until } from '../support/until.js';

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

  /** As if the browser took the page out of the way and kept it, or showed it again. */
  const moved = (type: 'pagehide' | 'pageshow'): Promise<void> =>
    sam.evaluate((name) => {
      // This runs in the page: the types of Node, which hold here, have no such event.
      const page = globalThis as unknown as {
        readonly PageTransitionEvent: new (type: string, init: object) => Event;
        dispatchEvent(event: Event): void;
      };
      page.dispatchEvent(new page.PageTransitionEvent(name, { persisted: true }));
    }, type);

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

  it('T77: sees nothing of theirs in a page that the browser kept', async () => {
    // The page stays, so that the browser can be imitated. This one keeps no page that has read an answer with no-store.
    const isLeaving = (request: Request): boolean => request.isNavigationRequest();
    await sam.route('**', (route) => (isLeaving(route.request()) ? route.fulfill({ status: 204 }) : route.continue()));
    const leaving = sam.waitForRequest(isLeaving);
    await signOut();
    await leaving;
    await moved('pagehide');
    expect(await sam.locator('body').isVisible()).toBe(false);
    await sam.unroute('**');
    await moved('pageshow');
    await seesNothingOf(sam);
  });

  it('T77: sees nothing of theirs in a page that the browser kept before they signed out elsewhere', async () => {
    await moved('pagehide');
    expect(await sam.locator('body').isVisible()).toBe(false);
    await sam.context().clearCookies();
    await moved('pageshow');
    await seesNothingOf(sam);
  });

  it('T77: sees nothing of theirs in another tab', async () => {
    const other = await world.page(sam.context());
    await other.goto(`${world.url}/tasks`);
    await other.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
    await signOut();
    await seesNothingOf(other);
  });

  it('finds nobody signed in unawares: a sign-out without an answer says so within seconds', async () => {
    await sam.evaluate("localStorage.setItem('push-subscription', '01900000-0000-7000-8000-000000000000')");
    const silent = /\/v1\/(push-subscriptions\/|browser-sessions\/current\/sign-out)/;
    await sam.route(silent, () => undefined);
    await sam.clock.install();
    await signOut();
    const leaving = sam.getByRole('button', { name: 'Signing out…' });
    await leaving.waitFor();
    expect(await leaving.isDisabled()).toBe(true);
    const dialog = sam.getByRole('dialog', { name: 'The sign-out did not finish' });
    let seconds = 0;
    await until(async () => {
      await sam.clock.runFor(1_000);
      seconds += 1;
      return dialog.isVisible();
    });
    expect(seconds).toBeLessThan(10);
    await dialog.getByText('Countersign could not be reached.').waitFor();
    await sam.unroute(silent);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await sam.waitForURL(({ pathname }) => pathname !== '/tasks');
  }, 60_000);
});
