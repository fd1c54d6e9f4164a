/**
 * Takes the pictures of docs/images. It plays the demo, leaves it running, and acts as its people until the pages show the
 * scenes. It takes each page in light, dark and on a phone. Chromium is CHROMIUM_PATH, or `chromium` on PATH.
 *
 *   npm run screenshots
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { rolloutPlan, smallRolloutPlan } = await import(join(root, 'dist/apps/demo/src/rollout-plan.js'));

const VARIANTS = {
  light: { colorScheme: 'light', width: 1280, height: 800 },
  dark: { colorScheme: 'dark', width: 1280, height: 800 },
  phone: { colorScheme: 'light', width: 390, height: 844 },
};
const QUALITY = 0.9;
const PATIENCE_MS = 120_000;

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** Starts the demo. Answers its addresses, its tokens by name, and a function that ends it. */
async function startDemo() {
  const child = spawn(process.execPath, ['dist/programs/demo/main.js', '--keep'], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let text = '';
  const printed = (async () => {
    for await (const chunk of child.stdout) {
      text += chunk;
      if (/^ +drift-bot +cs_a_\S+\s/m.test(text)) return true;
    }
    return false;
  })();
  if (!(await printed)) throw new Error(`the demo ended early:\n${text}`);
  child.stdout.resume();
  const address = (name) => new RegExp(`^ +${name} +(http://[^/\\s]+)`, 'm').exec(text)?.[1] ?? '';
  return {
    web: address('web'),
    slack: address('slack'),
    tokens: Object.fromEntries(
      [...text.matchAll(/^ +(\S+) +(cs_[pa]_\S+)$/gm)].map(([, name, token]) => [name, token]),
    ),
    recoveryCodes: Object.fromEntries(
      [...text.matchAll(/^ +(\S+) +((?:[0-9A-Z]{5}-){3}[0-9A-Z]{5})\s/gm)].map(([, name, code]) => [name, code]),
    ),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function until(what, ask) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await ask();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`${what} took too long`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Calls as one of the demo's tokens. */
const callerOf =
  (demo) =>
  async (name, method, path, body, headers = {}) => {
    const yaml = typeof body === 'string';
    const answer = await fetch(`${demo.web}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${demo.tokens[name]}`,
        ...(body === undefined ? {} : { 'content-type': yaml ? 'application/yaml' : 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: yaml ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return { etag: answer.headers.get('etag'), text, body: text.startsWith('{') ? JSON.parse(text) : null };
  };

/** A plan of the agent's, ready to be asked about. */
async function planned(call, goal, plan) {
  const task = {
    goal,
    task_type: 'drift_remediation',
    environment: 'production',
    timeout_minutes: 60,
    constraints: { canary_required: true, max_batch_percent: 20 },
    agent: { model: 'example-model', version: '1' },
  };
  const { id: taskId } = (await call('drift-bot', 'POST', '/v1/tasks', task)).body;
  const { id } = (await call('drift-bot', 'POST', `/v1/tasks/${taskId}/plans`, plan)).body;
  const simulation = (await call('drift-bot', 'POST', `/v1/plans/${id}/simulations`)).body.id;
  await until('the simulation', async () => {
    const { state } = (await call('drift-bot', 'GET', `/v1/simulations/${simulation}`)).body;
    return state === 'succeeded';
  });
  return id;
}

async function asked(call, goal, plan) {
  const id = await planned(call, goal, plan);
  return (await call('drift-bot', 'POST', `/v1/plans/${id}/approval-requests`, {})).body;
}

/** Nothing of the page is being read any more. */
async function settled(page) {
  await page.getByRole('heading').first().waitFor();
  await page.waitForFunction(
    () => globalThis.document.querySelector('[aria-label="Loading"], .animate-pulse, [aria-busy="true"]') === null,
  );
  await page.evaluate(() => globalThis.document.fonts.ready.then(() => undefined));
}

/** Takes pictures as WebP, which Chromium itself encodes. */
async function cameraOf(browser) {
  const darkroom = await browser.newPage();
  const developed = (png) =>
    darkroom.evaluate(
      async ({ data, quality }) => {
        const { document, Image } = globalThis;
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        canvas.getContext('2d').drawImage(image, 0, 0);
        return canvas.toDataURL('image/webp', quality).split(',')[1];
      },
      { data: png.toString('base64'), quality: QUALITY },
    );
  return async (page, name, arrange = () => Promise.resolve()) => {
    for (const [variant, { colorScheme, width, height }] of Object.entries(VARIANTS)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height });
      // A place at which it hovers over nothing.
      await page.mouse.move(width - 1, height - 1);
      await settled(page);
      await arrange(page, variant);
      const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
      writeFileSync(
        join(root, 'docs', 'images', `${name}-${variant}.webp`),
        Buffer.from(await developed(png), 'base64'),
      );
    }
    process.stdout.write(`${name}\n`);
  };
}

/** A page of somebody's own browser, signed in, with an authenticator that always finds its person present. */
async function signedIn(browser, demo, name) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${demo.web}/welcome`);
  await page.getByRole('link', { name: /^Sign in with/ }).click();
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await page.waitForURL(`${demo.web}/`);
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
  return page;
}

async function withPasskey(page, demo) {
  await page.goto(`${demo.web}/settings/factors`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill('Laptop');
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  await page.getByText('Done. It counts from now on.').waitFor();
}

/** Approves as the demo's people do who carry no passkey of theirs along. */
async function approve(page, request, recoveryCode) {
  await page.goto(request);
  await page.getByRole('button', { name: 'Approve…' }).first().click();
  await page.getByRole('button', { name: 'Continue to the second factor' }).click();
  await page.getByRole('button', { name: 'A recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByText('1 of 2 approved').first().waitFor();
}

/** Scrolls to a card, below the bar of a phone. */
const inView = (page, name) =>
  page.getByRole('region', { name }).evaluate((card) => {
    card.scrollIntoView();
    globalThis.scrollBy(0, -72);
  });

/** Opens one of an incident's dialogs, writes and sends. */
async function say(page, step, text) {
  await page.getByRole('button', { name: step, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(text);
  await dialog.getByRole('button', { name: step, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function takeAll(demo, browser) {
  const call = callerOf(demo);
  const take = await cameraOf(browser);
  const { items: runs } = (await call('Lea', 'GET', '/v1/runs')).body;
  const completed = runs.find(({ state }) => state === 'completed');
  const { task_id: taskId } = (await call('Lea', 'GET', `/v1/plans/${completed.plan_id}`)).body;

  const request = await asked(
    call,
    'patch the OpenSSL advisory on 47 production web servers',
    rolloutPlan('web-2026.13'),
  );
  await asked(
    call,
    'move three servers to the new kernel, as a trial',
    smallRolloutPlan('web-2026.14', ['web-05', 'web-06', 'web-07'], 60),
  );
  const sam = await signedIn(browser, demo, 'Sam');
  await approve(sam, `${demo.web}/requests/${request.id}`, demo.recoveryCodes.Sam);
  await until('the message in Slack', async () => {
    const { messages } = await (await fetch(`${demo.slack}/state`)).json();
    return messages.some(
      ({ channel, blocks }) => channel === 'C0PRODUCTION' && JSON.stringify(blocks).includes(request.id),
    );
  });

  const lea = await signedIn(browser, demo, 'Lea');
  const at = async (page, path) => {
    await page.goto(`${demo.web}${path}`);
    await settled(page);
    return page;
  };
  await take(await at(lea, '/'), 'overview');
  await take(await at(lea, '/inbox'), 'inbox');
  await take(await at(lea, `/requests/${request.id}`), 'request');
  await take(lea, 'precedents', (page) => inView(page, 'Done before'));
  await take(await at(lea, `/plans/${completed.plan_id}`), 'plan');
  await take(await at(lea, `/runs/${completed.id}`), 'run');
  await take(await at(lea, `/tasks/${taskId}`), 'task');
  const [session] = (await call('Lea', 'GET', '/v1/sessions')).body.items;
  await take(await at(lea, `/sessions/${session.id}`), 'session');
  await lea.setViewportSize({ width: 1280, height: 800 });
  await lea.getByRole('button', { name: 'Halt…' }).first().click();
  await lea.getByRole('dialog').waitFor();
  await take(lea, 'halt');

  const rita = await signedIn(browser, demo, 'Rita');
  await take(await at(rita, '/audit'), 'audit');
  await at(rita, `/audit/verify?plan=${completed.plan_id}`);
  await rita.getByRole('button', { name: 'Verify' }).click();
  await rita.getByText(/^Verified: \d+ entries/).waitFor();
  await take(rita, 'verify', (page, variant) =>
    variant === 'phone'
      ? page.getByText(/^Verified:/).scrollIntoViewIfNeeded()
      : page.evaluate(() => globalThis.scrollTo(0, 0)),
  );

  const chat = await browser.newPage();
  await chat.goto(`${demo.slack}/?as=U0LEA`);
  await take(chat, 'slack', (page) =>
    page
      .locator('article', { hasText: 'OpenSSL' })
      .first()
      .evaluate((article) => {
        // From its heading to its buttons.
        globalThis.document.body.style.zoom = '0.9';
        article.scrollIntoView();
        globalThis.scrollBy(0, -8);
      }),
  );

  await take(chat, 'slack-precedents', (page) =>
    page
      .locator('article', { hasText: 'as a trial' })
      .getByText(/^Asked \d+ times before/)
      .first()
      .evaluate((line) => {
        // The line about the past in the middle, between the steps and the buttons.
        line.scrollIntoView({ block: 'center' });
      }),
  );

  const ada = await signedIn(browser, demo, 'Ada');
  const noor = await signedIn(browser, demo, 'Noor');
  await withPasskey(ada, demo);
  await withPasskey(noor, demo);
  await take(await at(ada, '/autonomy'), 'autonomy');
  await take(await at(ada, '/tools'), 'tools');
  await take(await at(ada, '/settings/people'), 'settings');

  // The demo leaves a change of Ada's behind: break-glass would be switched on.
  const { items: changes } = (await call('Noor', 'GET', '/v1/change-requests?state=open')).body;
  const { id: change } = changes.find(({ kind }) => kind === 'autonomy');
  await take(await at(noor, `/changes/${change}`), 'change');
  await take(noor, 'impact', (page) => inView(page, 'Impact on past decisions'));
  await noor.evaluate(() => globalThis.scrollTo(0, 0));
  await noor.setViewportSize({ width: 1280, height: 800 });
  await noor.getByRole('button', { name: 'Confirm' }).click();
  await noor.getByRole('button', { name: 'Use my passkey' }).click();
  // The tools that it loosens are "in force" as well.
  await noor.getByRole('dialog').waitFor({ state: 'detached' });

  const urgent = await planned(
    call,
    'take three overloaded servers back to the former image',
    smallRolloutPlan('web-2026.10', ['web-20', 'web-21', 'web-22'], 60),
  );
  await at(ada, `/break-glass?plan=${urgent}`);
  await ada
    .getByLabel('Why this cannot wait')
    .fill('Checkout answers every second order with an error, and both SRE leads are in the air.');
  await ada.getByLabel(/I have read the plan/).check();
  await take(ada, 'break-glass', (page) => page.evaluate(() => globalThis.scrollTo(0, 0)));
  await ada.setViewportSize({ width: 1280, height: 800 });
  await ada.getByRole('button', { name: 'Continue to the second factor' }).click();
  await ada.getByRole('button', { name: 'Use my passkey' }).click();
  await ada.waitForURL(/\/incidents\//);
  await say(ada, 'Acknowledge', 'Orders go through again; I watch the queue.');
  await ada.getByText('completed', { exact: true }).first().waitFor();
  await take(ada, 'incident');
}

mkdirSync(join(root, 'docs', 'images'), { recursive: true });
const demo = await startDemo();
try {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? onPath('chromium'),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-quic', '--no-first-run'],
  });
  try {
    await takeAll(demo, browser);
  } finally {
    await browser.close();
  }
} finally {
  await demo.stop();
}
