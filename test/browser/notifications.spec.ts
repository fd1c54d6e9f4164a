import type { BrowserContext, Page } from 'playwright-core';
import {
  browserWorld,
  describeInWholeChromium,
  settled,
  WHOLE_CHROMIUM,
  type BrowserWorld,
} from '../support/browser.js';
import type { TestTenant } from '../support/api.js';
import { until } from '../support/until.js';
import { violationsOn } from '../support/violations.js';

let world: BrowserWorld;
let tenant: TestTenant;

/** A page of somebody who is signed in, at the notifications' settings. */
async function notifications(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await world.signIn(page, tenant, 'Sam', '/settings/notifications');
  await settled(page);
  return page;
}

/** The notifications of the worker, as the browser keeps them. */
const shown = (page: Page): Promise<readonly { title: string; body: string; path: string }[]> =>
  page.evaluate(async () => {
    interface Shown {
      readonly title: string;
      readonly body: string;
      readonly data: { readonly path: string };
      readonly actions: readonly unknown[];
    }
    const { navigator } = globalThis as unknown as {
      navigator: { serviceWorker: { ready: Promise<{ getNotifications(): Promise<readonly Shown[]> }> } };
    };
    const found = await (await navigator.serviceWorker.ready).getNotifications();
    if (found.some(({ actions }) => actions.length > 0)) throw new Error('a notification has buttons');
    return found.map(({ title, body, data }) => ({ title, body, path: data.path }));
  });

describeInWholeChromium('notifications of the browser', () => {
  beforeAll(async () => {
    world = await browserWorld([{ sub: 'sam', name: 'Sam', groups: ['sre-leads'] }], {}, WHOLE_CHROMIUM);
    tenant = await world.tenant();
  }, 240_000);
  afterAll(() => world.close());

  it('serves the worker for every page, asked for anew each time, which loads nothing and asks the API alone', async () => {
    const { status, headers } = await fetch(`${world.url}/push-worker.js`);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'no-cache',
    ]);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
  });

  it('can be installed: its manifest and every icon of it are there', async () => {
    const page = await (await fetch(`${world.url}/`)).text();
    expect(page).toContain('<link rel="manifest" href="/app.webmanifest"');
    const answer = await fetch(`${world.url}/app.webmanifest`);
    expect(answer.headers.get('content-type')).toBe('application/manifest+json');
    const manifest = (await answer.json()) as { display: string; icons: { src: string; type: string }[] };
    expect(manifest.display).toBe('standalone');
    for (const { src, type } of [...manifest.icons, { src: '/apple-touch-icon.png', type: 'image/png' }]) {
      const icon = await fetch(world.url + src);
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type]);
    }
  });

  it('shows pushed notifications, without buttons, and leads to pages of ours alone', async () => {
    const context = await world.context();
    await context.grantPermissions(['notifications'], { origin: world.url });
    const page = await notifications(context);
    // No push service answers here, and the page tells the probable cause; the worker is there by then.
    await page.getByRole('button', { name: 'Notify this browser' }).click();
    await page.getByText('The browser could not subscribe at its push service.').waitFor();
    expect(await violationsOn(page)).toEqual([]);

    const browser = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const found = registrations.find(({ scopeURL }) => scopeURL === `${world.url}/`);
        if (found !== undefined) resolve(found.registrationId);
      });
    });
    await browser.send('ServiceWorker.enable');
    const registrationId = await registered;
    const push = (data: string) =>
      browser.send('ServiceWorker.deliverPushMessage', { origin: world.url, registrationId, data });
    const path = '/requests/01990000-0000-7000-8000-000000000001';
    const title = 'drift-bot asks for a rollout in production';
    const sent = [
      JSON.stringify({ title, url: world.url + path, tag: 'a' }),
      JSON.stringify({ title: 'elsewhere', url: 'https://evil.example/requests/1', tag: 'b' }),
      'not what Countersign sends',
    ];
    const body = 'Open it in Countersign to see the whole of it.';
    const expected = [
      { title: 'Something waits in Countersign', body, path: '/inbox' },
      { title, body, path },
      { title: 'elsewhere', body, path: '/inbox' },
    ];
    // The browser drops messages until it has put the worker away; messages with one tag are shown once.
    await until(async () => {
      for (const data of sent) await push(data);
      return (await shown(page)).length >= expected.length;
    });
    expect([...(await shown(page))].sort((left, right) => left.title.localeCompare(right.title))).toEqual(
      expected.sort((left, right) => left.title.localeCompare(right.title)),
    );
    await context.close();
  }, 120_000);

  it('is subscribed with the key of the tenant, and can be ended; a sign-out ends it, too', async () => {
    const context = await world.context();
    await context.grantPermissions(['notifications'], { origin: world.url });
    // The push service is not reached from here, so this is its answer.
    await context.addInitScript(() => {
      const page = globalThis as unknown as {
        readonly PushManager: { readonly prototype: { subscribe(options: { applicationServerKey: string }): unknown } };
      };
      page.PushManager.prototype.subscribe = ({ applicationServerKey }) =>
        Promise.resolve({
          toJSON: () => ({
            endpoint: `https://push.example.com/send/${applicationServerKey.slice(0, 8)}`,
            expirationTime: null,
            keys: { p256dh: applicationServerKey, auth: 'a'.repeat(22) },
          }),
        });
    });
    const page = await notifications(context);
    await page.getByRole('button', { name: 'Notify this browser' }).click();
    await page.getByText('this browser', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Notify this browser' }).count()).toBe(0);

    // The push service replaces the subscription: the worker tells the API by itself, with the browser session of the reader.
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    await worker.evaluate(async () => {
      const scope = globalThis as unknown as { dispatchEvent(event: Event): void };
      const newSubscription = {
        toJSON: () => ({
          endpoint: 'https://renewed.example.com/send/1',
          keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'a'.repeat(22) },
        }),
      };
      await new Promise((resolve, reject) => {
        // Only a browser’s own events can be waited for.
        const waitUntil = (work: Promise<unknown>): unknown => work.then(resolve, reject);
        scope.dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), { newSubscription, waitUntil }));
      });
    });
    await page.reload();
    await page.getByText('renewed.example.com').waitFor();
    await page.getByRole('button', { name: 'End for this browser' }).click();
    // The next user of the browser is not told what waits for this one.
    await page.getByRole('button', { name: 'Notify this browser' }).click();
    await page.getByText('this browser', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL((address) => !address.pathname.startsWith('/settings'));
    // The renewed one is the browser's alone to end, which the push service then tells.
    const { rows } = await world.api.db.owner.query(
      `select from push_subscription where ended_at is null and endpoint like 'https://push.example.com/%'`,
    );
    expect(rows).toEqual([]);
    await context.close();
  }, 120_000);

  it('shows each person their own choices, and keeps them', async () => {
    const context = await world.context();
    const page = await notifications(context);
    const reminders = page.getByRole('group', { name: 'E-mail' }).getByLabel('Reminders of them');
    expect(await reminders.isChecked()).toBe(true);
    const kept = page.waitForResponse(
      (answer) => answer.url().endsWith('/v1/notification-preferences') && answer.request().method() === 'PUT',
    );
    await reminders.uncheck();
    expect((await kept).status()).toBe(200);
    await page.reload();
    await settled(page);
    expect(await reminders.isChecked()).toBe(false);
    const inBrowsers = page.getByRole('group', { name: 'Browser notifications' });
    expect(await inBrowsers.getByLabel('Reminders of them').isChecked()).toBe(true);
    expect(await violationsOn(page)).toEqual([]);
    await context.close();
  }, 120_000);

  it('explains the way out if the browser refuses notifications', async () => {
    const context = await world.context();
    await context.addInitScript(() => {
      const { Notification } = globalThis as unknown as { readonly Notification: object };
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
    });
    const page = await notifications(context);
    await page.getByText(/^This browser was told not to show notifications/).waitFor();
    await page.getByText(/^Allow them in the browser’s settings/).waitFor();
    expect(await page.getByRole('button', { name: 'Notify this browser' }).count()).toBe(0);
    await context.close();
  }, 60_000);
});
