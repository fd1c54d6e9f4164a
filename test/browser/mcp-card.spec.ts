import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { visibleText } from '#lib/words';
import { describeInChromium, STOP_WITHIN_MS, workersChromium } from '../support/browser.js';
import { openMcpWorld, type Connected, type McpWorld } from '../support/mcp-world.js';

/** The policy by which hosts draw a card that declares no domains (MCP Apps, 2026-01-26). */
const HOST_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

/** A host. It draws the card in a frame of no origin, answers its requests, and gives it results of tools. */
const HOST_PAGE = `<!doctype html><title>host</title><style>body{margin:0}iframe{border:0;width:460px;height:620px}</style>
<iframe id="card" sandbox="allow-scripts"></iframe>
<script>
  window.heard = [];
  const card = document.getElementById('card').contentWindow;
  window.send = (message) => card.postMessage({ jsonrpc: '2.0', ...message }, '*');
  addEventListener('message', async ({ source, data }) => {
    if (source !== card) return;
    heard.push(data);
    const { id, method, params } = data;
    if (id === undefined) return;
    if (method === 'ui/initialize') {
      const capabilities = window.capabilities;
      send({ id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'host', version: '1' },
        hostCapabilities: capabilities, hostContext: { theme: window.theme } } });
    } else if (method === 'tools/call') send({ id, result: await window.callTool(params.name, params.arguments) });
    else if (method === 'ui/open-link') send({ id, result: {} });
  });
  document.getElementById('card').src = '/card';
</script>`;

let world: McpWorld;
let agent: Connected;
let browser: Browser;
let host: Server;
let hostUrl: string;
let card: string;

const HOSTILE = '<img src=x onerror="parent.pwned=1"><script>parent.pwned=1</script><b>bold</b> \u202egnp.exe';

describeInChromium('the card of a request in a host of MCP Apps', () => {
  beforeAll(async () => {
    world = await openMcpWorld();
    agent = await world.connected();
    browser = await workersChromium();
    const { tools } = await agent.client.listTools();
    const linked = tools.flatMap(({ _meta }) => (_meta?.ui as { resourceUri?: string } | undefined)?.resourceUri ?? []);
    const [uri = ''] = linked;
    const { contents } = await agent.client.readResource({ uri });
    expect(contents[0]).toMatchObject({ uri, mimeType: 'text/html;profile=mcp-app' });
    card = (contents[0] as { text: string }).text;
    host = createServer(({ url }, response) => {
      const isCard = url === '/card';
      response.setHeader('content-type', 'text/html; charset=utf-8');
      if (isCard) response.setHeader('content-security-policy', HOST_POLICY);
      response.end(isCard ? card : HOST_PAGE);
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    hostUrl = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}/`;
  }, STOP_WITHIN_MS);
  afterAll(async () => {
    host.close();
    await world.close();
  }, STOP_WITHIN_MS);

  interface Drawn {
    readonly page: Page;
    readonly frame: FrameLocator;
    /** Errors of the page, and requests that it made for anything but its two documents. */
    readonly faults: string[];
    result(structuredContent: unknown): Promise<void>;
  }

  async function drawn(theme: string, capabilities: object): Promise<Drawn> {
    const page = await browser.newPage({ viewport: { width: 480, height: 640 } });
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => faults.push(message.text()));
    page.on('request', (request) => {
      if (![hostUrl, `${hostUrl}card`].includes(request.url())) faults.push(request.url());
    });
    await page.exposeFunction('callTool', (name: string, input: Record<string, unknown>) =>
      agent.client.callTool({ name, arguments: input }),
    );
    await page.addInitScript(
      ([given, having]) => Object.assign(globalThis, { theme: given, capabilities: having }),
      [theme, capabilities],
    );
    await page.clock.install();
    await page.goto(hostUrl);
    // These two execute in the page: its script defines `heard` and `send`.
    await page.waitForFunction(() =>
      (globalThis as unknown as { heard: { method?: string }[] }).heard.some(
        ({ method }) => method === 'ui/notifications/initialized',
      ),
    );
    return {
      ...{ page, faults, frame: page.frameLocator('#card') },
      result: (structuredContent) =>
        page.evaluate(
          (params) => {
            (globalThis as unknown as { send: (message: object) => void }).send({
              method: 'ui/notifications/tool-result',
              params,
            });
          },
          { content: [], structuredContent } as never,
        ),
    };
  }

  const asked = async (): Promise<Record<string, string>> =>
    (await agent.call('submit_tool_call', { ...world.another(), reason: HOSTILE })).answer as Record<string, string>;

  it.each(['light', 'dark'])(
    'shows the needed approvers, and the answer as soon as there is one: %s',
    async (theme) => {
      const { page, frame, faults, result } = await drawn(theme, { serverTools: {}, openLinks: {} });
      const call = await asked();
      await result(call);
      await frame.getByText('Waiting for people').waitFor();
      await frame.getByText('1 more: SRELead').waitFor();
      await frame.getByText('Nobody has answered yet.').waitFor();
      expect(await frame.locator('#environment').textContent()).toBe('staging');
      expect(await frame.locator('#risk').textContent()).toMatch(/^Risk: (low|medium|high|critical)$/);
      expect(await frame.locator('#headline').textContent()).toContain('label_sandbox');
      expect(await frame.locator('#left').textContent()).toMatch(/^Time left: \d\d:\d\d/);
      expect(await frame.locator('#page').textContent()).toBe(call.page);
      expect(await frame.locator('html').getAttribute('data-theme')).toBe(theme);
      const { SCREENSHOTS: folder } = process.env;
      if (folder !== undefined) await page.screenshot({ path: `${folder}/card-${theme}.png` });
      await world.answered(String(call.request_id), 'approve');
      await page.clock.runFor(5_000);
      await frame.getByText('Approved', { exact: true }).waitFor();
      await frame.getByText('Ada approved').waitFor();
      expect(await frame.locator('#left').isHidden()).toBe(true);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  it("writes an agent's words as text, and shows hidden characters in them (T10)", async () => {
    const { page, frame, faults, result } = await drawn('light', { serverTools: {} });
    await result(await asked());
    await frame.locator('#words').waitFor();
    expect(await frame.locator('#words').textContent()).toBe(visibleText(HOSTILE));
    expect(visibleText(HOSTILE)).toContain('U+202E');
    expect(await frame.locator('#words *').count()).toBe(0);
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('asks the host for nothing but the status, and has no button without it', async () => {
    const { page, frame, result } = await drawn('light', { serverTools: {} });
    await result(await asked());
    await frame.getByText('Nobody has answered yet.').waitFor();
    const heard = await page.evaluate(
      () => (globalThis as unknown as { heard: { method?: string; params?: { name?: string } }[] }).heard,
    );
    expect([...new Set(heard.map(({ method, params }) => params?.name ?? method))].toSorted()).toEqual([
      'get_request_status',
      'ui/initialize',
      'ui/notifications/initialized',
      'ui/notifications/size-changed',
    ]);
    expect(await frame.getByRole('button').count()).toBe(0);
    await page.close();
  });

  it('opens the page of the request by the host alone', async () => {
    const { page, frame, result } = await drawn('light', { openLinks: {} });
    const call = await asked();
    await result(call);
    await frame.getByRole('button', { name: 'Open the page' }).click();
    const opened = await page.waitForFunction(() =>
      (globalThis as unknown as { heard: { method?: string; params?: { url?: string } }[] }).heard.find(
        ({ method }) => method === 'ui/open-link',
      ),
    );
    expect(await opened.jsonValue()).toMatchObject({ params: { url: call.page } });
    await page.close();
  });

  it('opens no address of another kind, and hears its host alone', async () => {
    const { page, frame, result } = await drawn('light', { openLinks: {} });
    await result({ outcome: 'pending', request_id: 'none', page: 'javascript:alert(1)' });
    await frame.getByText('Waiting for people').waitFor();
    expect(await frame.getByRole('button').count()).toBe(0);
    await frame.locator('html').evaluate(() => {
      const params = { structuredContent: { outcome: 'forged', request_id: 'none', page: '' } };
      const itself = globalThis as unknown as { postMessage: (message: object, origin: string) => void };
      itself.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params }, '*');
    });
    await result({ outcome: 'denied', request_id: 'none', page: '' });
    await frame.getByText('The call is denied').waitFor();
    await page.close();
  });
});
