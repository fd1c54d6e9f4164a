import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { ApiConfig } from '../../apps/api/src/api-config.js';
import { defaultWorkerConfig } from '../../apps/worker/src/worker-config.js';
import { freePort } from '../../libs/foundation/database/src/embedded/free-port.js';
import { testApi, type TestApi, type TestTenant } from './api.js';
import { believeIssuers } from './browser-session.js';
import { registerIssuer, testIssuer, type TestIssuer } from './issuer.js';
import { keptBrowser } from './kept-browsers.js';
import { workerOf } from './worker.js';

/** Programs that show notifications and take pushed messages. */
export const WHOLE_CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'] as const;

/** The headless shell comes first: it draws no window of its own. */
const ANY_CHROMIUM = ['chromium-headless-shell', ...WHOLE_CHROMIUM] as const;

/** The path of Chromium: CHROMIUM_PATH, or the first of these names on PATH; null if there is none. */
function chromiumPath(names: readonly string[]): string | null {
  const { CHROMIUM_PATH: named, PATH = '' } = process.env;
  if (named !== undefined && named !== '') return named;
  const folders = PATH.split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return found.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const describeIn =
  (programs: readonly string[]) =>
  (name: string, tests: () => void): void => {
    if (chromiumPath(programs) === null)
      describe.skip(`${name} (skipped: no Chromium; install it or set CHROMIUM_PATH)`, tests);
    else describe(name, tests);
  };

/** `describe` if Chromium is there; otherwise its tests are skipped, and its name says why. */
export const describeInChromium = describeIn(ANY_CHROMIUM);

/** The same for tests that need more than the headless shell. */
export const describeInWholeChromium = describeIn(WHOLE_CHROMIUM);

/** A worker lets begun work end for up to 20 s; api, browser and database follow, on a busy machine. */
export const STOP_WITHIN_MS = 90_000;

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** A busy machine draws a page within this time. */
const DRAWN_WITHIN_MS = 20_000;

/** A person as the development issuer knows them. */
type IssuerPeople = Parameters<typeof testIssuer>[0];

export interface BrowserWorld {
  readonly api: TestApi;
  readonly issuer: TestIssuer;
  /** Of the first API process, as browsers reach it. */
  readonly url: string;
  /**
   * A tenant with an issuer where its people sign in, and which makes each of them known. The groups `sre-leads`,
   * `admins` and `engineers` are SRELead, PlatformAdmin and DevOpsEngineer.
   */
  tenant(): Promise<TestTenant>;
  /** A browser of somebody's own, with nothing kept from others. */
  context(options?: ContextOptions): Promise<BrowserContext>;
  /**
   * Opens a page and collects its errors in `problems`. The page is in a browser of its own, or in the one that is given. A
   * refusal that the page explains is an error to the console too, and is left out.
   */
  page(of?: BrowserContext | ContextOptions): Promise<Page>;
  /** The errors of all pages that `page` opened. */
  readonly problems: string[];
  /**
   * Goes to a path, signed in as somebody at the issuer. Both servers are asked as the page would ask them, but only the path
   * itself is drawn. Pages of the sign-in cost as much as a short test.
   */
  signIn(page: Page, tenant: TestTenant, name: string, path: string): Promise<void>;
  /**
   * The page of somebody at a path. It is that of the test before if it is open still. A load costs as much as a short test. A
   * person who comes for the first time signs in.
   */
  pageOf(tenant: TestTenant, name: string, path: string): Promise<Page>;
  /** Goes to a path, through the sign-in page and the pages of the issuer. */
  signInByPages(page: Page, tenant: TestTenant, name: string, path: string): Promise<void>;
  /**
   * Starts a worker beside the api. It looks for due rows as often as in the product. Hints name most of them at once, and ten
   * looks a second cost more than the work.
   */
  startWorker(): Promise<void>;
  /** Closes the pages first: one that stays open draws each event, too. */
  close(): Promise<void>;
}

const chromiumOptions = (): readonly string[] => [
  // A cache on disk stays out of it: in the headless shell, contexts with one `--disk-cache-dir` wait for each other.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Each browser of somebody's own has one process for its pages. Chromium would start one for each site, and one ahead.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--disable-features=SpareRendererForSitePerProcess',
  // Drawing and the network need no process of their own, since a browser of tests opens no stranger's page.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  // A page lives for seconds. Its code is compiled quickly instead of well, and no thread beside the page has work from V8.
  '--js-flags=--single-threaded --no-maglev --no-turbofan',
];

/** The browser of this worker. A test closes the contexts that it makes. */
export const workersChromium = (programs: readonly string[] = ANY_CHROMIUM): Promise<Browser> =>
  keptBrowser(chromiumPath(programs) ?? 'chromium', chromiumOptions());

export async function browserWorld(
  people: IssuerPeople,
  config: Partial<ApiConfig> = {},
  programs: readonly string[] = ANY_CHROMIUM,
): Promise<BrowserWorld> {
  const port = await freePort(0);
  const url = `http://localhost:${String(port)}`;
  // oidc-provider warns developers on the console that it is no production set-up.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  const issuer = await testIssuer(people, url);
  const allowedPrivateHosts = [...(config.allowedPrivateHosts ?? []), issuer.host];
  const api = await testApi({ config: { ...config, publicUrl: url, allowedPrivateHosts } });
  await api.app.listen(port, 'localhost');
  const browser = await workersChromium(programs);
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];
  const kept = new Map<string, Page>();
  let worker: { stop(): Promise<void> } | undefined;
  const world: BrowserWorld = {
    api,
    issuer,
    url,
    tenant: async () => {
      const tenant = await api.tenant();
      await registerIssuer(api, tenant, issuer);
      await believeIssuers(api, tenant);
      return tenant;
    },
    context: async (options) => {
      // A skeleton that pulses is drawn sixty times a second.
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      contexts.push(context);
      return context;
    },
    page: async (of = {}) => {
      const page = await ('newPage' in of ? of : await world.context(of)).newPage();
      page.setDefaultTimeout(DRAWN_WITHIN_MS);
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('status of')) problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      return page;
    },
    problems,
    signIn: async (page, tenant, name, path) => {
      const sub = people.find((each) => each.name === name)?.sub;
      if (sub === undefined) throw new Error(`the issuer does not know ${name}`);
      const { request } = page.context();
      const begin = new URLSearchParams({ tenant: tenant.slug, issuer: 'demo', return_to: path });
      const asking = await request.get(`${url}/sign-in?${begin.toString()}`, { headers: { 'sec-fetch-site': 'none' } });
      const back = await request.post(asking.url(), { form: { sub }, maxRedirects: 20 });
      if (!back.url().startsWith(url)) throw new Error(`the issuer let nobody in: ${await back.text()}`);
      await page.goto(url + path);
      await page.waitForURL(url + path);
    },
    pageOf: async (tenant, name, path) => {
      const key = `${tenant.id} ${name}`;
      const open = kept.get(key);
      if (open !== undefined && !open.isClosed()) {
        await moveTo(open, path);
        return open;
      }
      const page = await world.page();
      kept.set(key, page);
      await world.signIn(page, tenant, name, path);
      return page;
    },
    signInByPages: async (page, tenant, name, path) => {
      await page.goto(`${url}/welcome?tenant=${tenant.slug}&return_to=${encodeURIComponent(path)}`);
      await page.getByRole('link', { name: /^Sign in with/ }).click();
      await page.getByRole('button', { name }).click();
      await page.waitForURL(url + path);
    },
    startWorker: async () => {
      worker = await workerOf(api, { lookMs: defaultWorkerConfig.lookMs });
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await worker?.stop();
      await api.close();
      await issuer.close();
    },
  };
  return world;
}

/** Until nothing of a page is being read any more. A run that is under way has a bar that pulses, too: a `span`. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[aria-label="Loading"], div.animate-pulse').first().waitFor({ state: 'detached' });
}

/** Goes to a path as a link of the page does, without a load. */
export const goWithoutLoad = (page: Page, path: string): Promise<void> =>
  page.evaluate((there) => {
    // This runs in the page: the types of Node, which hold here, have no history.
    const { history, dispatchEvent, PopStateEvent } = globalThis as unknown as {
      history: { pushState(state: null, unused: string, path: string): void };
      dispatchEvent(event: unknown): void;
      PopStateEvent: new (type: string) => unknown;
    };
    history.pushState(null, '', there);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** Goes to a path without a load, over a page that does not exist. So nothing of the page before is left. */
export async function moveTo(page: Page, path: string): Promise<void> {
  await goWithoutLoad(page, '/nowhere');
  await page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor();
  await goWithoutLoad(page, path);
  await page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor({ state: 'detached' });
}

/** The names of the entries that a page keeps in its tab, but for the router's list of scroll positions. */
export const keptInTab = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(
    `Object.keys(sessionStorage).filter((name) => name !== 'react-router-scroll-positions')`,
  );

/** As a person pastes. */
export const paste = (editor: Locator, text: string): Promise<void> =>
  editor.evaluate((element, pasted) => {
    const page = globalThis as unknown as {
      readonly DataTransfer: new () => { setData(type: string, data: string): void };
      readonly ClipboardEvent: new (type: string, init: object) => unknown;
    };
    const clipboardData = new page.DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new page.ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    (element as unknown as { dispatchEvent(event: unknown): void }).dispatchEvent(event);
  }, text);

/** Gives the page's browser a passkey authenticator, one that always finds its person present. */
export async function withVirtualAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Says why something is asked for that loosens a guardrail, in the dialog that asks. */
export async function sayWhy(page: Page, reason = 'On call has to act before others can be reached.'): Promise<void> {
  await page.getByLabel('Your reason').fill(reason);
  await page.getByRole('button', { name: 'Ask for it' }).click();
}
