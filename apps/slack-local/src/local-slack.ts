import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { SlackMethods } from './slack-methods.js';
import { page } from './slack-page.js';
import { fieldsSchema, type Fields, type LocalMessage, type LocalModal, type LocalWorkspace } from './workspace.js';

/** A failure of the next call of a method. */
export type Fault =
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'delay'; readonly ms: number }
  /** Drops the connection before the call is carried out. */
  | { readonly kind: 'drop' }
  /** Carries the call out, then drops the connection. */
  | { readonly kind: 'drop_after' }
  | { readonly kind: 'error'; readonly error: string };

/** Countersign's answer to a request of Slack. */
export interface Acknowledged {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
  /** The sent request, for a repetition. */
  readonly sent: SignedBody;
}

export interface SignedBody {
  readonly path: '/slack/interactions' | '/slack/commands' | '/slack/events';
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const commandAnswerSchema = z.object({ text: z.string().default(''), blocks: z.array(fieldsSchema).default([]) });

const PACE_MS = 1_000;
/** Slack lets a message come a little early. */
const TOLERANCE_MS = 50;

/**
 * A local Slack on loopback, for tests and the demo. It takes the calls of the Web API by Slack's rules, and sends signed
 * interactions, commands and events.
 */
export class LocalSlack extends SlackMethods {
  /** Every call, in order. */
  readonly calls: { readonly method: string; readonly fields: Fields; readonly at: number }[] = [];
  readonly #faults: { readonly method: string; readonly fault: Fault }[] = [];
  readonly #lastAt = new Map<string, number>();
  readonly #server: Server;
  #events = 0;
  /** The address of Countersign. */
  #target = '';

  constructor(workspace: LocalWorkspace) {
    super(workspace);
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch((error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      });
    });
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return this.url;
  }

  get url(): string {
    // It listens at a port.
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Sets the public address of Countersign, which gets interactions, commands and events. */
  sendTo(target: string): void {
    this.#target = target;
  }

  /** Makes the next call of the method fail. Several failures queue up. */
  fail(method: string, fault: Fault): void {
    this.#faults.push({ method, fault });
  }

  in(channel: string): readonly LocalMessage[] {
    return this.messages.filter((message) => message.channel === channel && message.threadTs === null);
  }

  thread(ts: string): readonly LocalMessage[] {
    return this.messages.filter((message) => message.threadTs === ts);
  }

  /** A user deletes a message. */
  delete(ts: string): void {
    const index = this.messages.findIndex((message) => message.ts === ts);
    if (index >= 0) this.messages.splice(index, 1);
  }

  // --- Users ---------------------------------------------------------------------------------------------------------

  /** Presses a button of a message. `change` edits the payload before it is signed. */
  async press(
    message: Pick<LocalMessage, 'channel' | 'ts' | 'blocks'>,
    actionId: string,
    user: string,
    change: (payload: Fields) => Fields = (payload) => payload,
  ): Promise<Acknowledged> {
    const button = message.blocks
      // The methods refuse a block with other elements.
      .flatMap((block) => (Array.isArray(block.elements) ? (block.elements as Fields[]) : []))
      .find((element) => element.action_id === actionId);
    if (button === undefined) throw new Error(`the message has no button ${actionId}`);
    const trigger = this.trigger(user);
    const payload: Fields = {
      type: 'block_actions',
      ...this.#sender(user),
      trigger_id: trigger,
      channel: { id: message.channel, name: this.workspace.channels[message.channel] ?? 'directmessage' },
      container: { type: 'message', message_ts: message.ts, channel_id: message.channel },
      response_url: `${this.url}/response`,
      actions: [
        {
          type: 'button',
          action_id: actionId,
          ...(button.value === undefined ? {} : { value: button.value }),
          action_ts: this.ts(),
        },
      ],
    };
    return this.send(this.sign('/slack/interactions', formOf(change(payload))));
  }

  async submitModal(modal: LocalModal, comment: string, user = modal.user): Promise<Acknowledged> {
    const payload: Fields = {
      type: 'view_submission',
      ...this.#sender(user),
      trigger_id: this.trigger(user),
      view: {
        ...modal.view,
        id: modal.id,
        state: { values: { 'countersign.comment': { comment: { type: 'plain_text_input', value: comment } } } },
      },
    };
    const index = this.modals.indexOf(modal);
    if (index >= 0) this.modals.splice(index, 1);
    return this.send(this.sign('/slack/interactions', formOf(payload)));
  }

  /** Replies in the thread of a message. `change` edits the event before it is signed. */
  async reply(
    message: Pick<LocalMessage, 'channel' | 'ts'>,
    text: string,
    user: string,
    change: (event: Fields) => Fields = (event) => event,
  ): Promise<Acknowledged> {
    const { channel, ts: threadTs } = message;
    const ts = this.ts();
    this.messages.push({
      channel,
      ts,
      threadTs,
      text,
      blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] }],
      metadata: null,
      edits: 0,
      at: performance.now(),
    });
    this.#events += 1;
    const event: Fields = {
      type: 'event_callback',
      api_app_id: this.workspace.appId,
      team_id: this.workspace.teamId,
      event_id: `Ev${String(this.#events).padStart(8, '0')}`,
      event: { type: 'message', user, channel, ts, thread_ts: threadTs, text },
    };
    return this.send(this.sign('/slack/events', JSON.stringify(change(event))));
  }

  async command(text: string, user: string, channel: string): Promise<Acknowledged> {
    const body = new URLSearchParams({
      command: '/countersign',
      text,
      user_id: user,
      channel_id: channel,
      team_id: this.workspace.teamId,
      api_app_id: this.workspace.appId,
      trigger_id: this.trigger(user),
    }).toString();
    const acknowledged = await this.send(this.sign('/slack/commands', body));
    if (acknowledged.body !== '') {
      const { text: answer, blocks } = commandAnswerSchema.parse(JSON.parse(acknowledged.body));
      this.ephemerals.push({ channel, user, text: answer, blocks });
    }
    return acknowledged;
  }

  /** Signs a body as Slack does, at a moment: seconds since the epoch. */
  sign(path: SignedBody['path'], body: string, at = Math.floor(Date.now() / 1_000)): SignedBody {
    const timestamp = String(at);
    const signature = createHmac('sha256', this.workspace.signingSecret)
      .update(`v0:${timestamp}:${body}`)
      .digest('hex');
    return {
      path,
      body,
      headers: {
        'content-type': path === '/slack/events' ? 'application/json' : 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      },
    };
  }

  async send(signed: SignedBody): Promise<Acknowledged> {
    const before = performance.now();
    const response = await fetch(`${this.#target}${signed.path}`, {
      method: 'POST',
      headers: signed.headers,
      body: signed.body,
    });
    const body = await response.text();
    return { status: response.status, body, ms: performance.now() - before, sent: signed };
  }

  // --- Web API -------------------------------------------------------------------------------------------------------

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const body = await bodyOf(request);
    if (url.pathname.startsWith('/api/')) {
      await this.#call(url.pathname.slice('/api/'.length), request, body, response);
    } else if (url.pathname === '/oauth/v2/authorize') {
      this.#authorize(url, response);
    } else if (url.pathname === '/state') {
      json(response, { messages: this.messages, ephemerals: this.ephemerals, modals: this.modals });
    } else if (url.pathname === '/act' && request.method === 'POST') {
      await this.#act(new URLSearchParams(body), response);
    } else {
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(page(this, url.searchParams.get('as') ?? '', url.searchParams.has('again')));
    }
  }

  async #call(method: string, request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const fields = fieldsOf(request, body);
    this.calls.push({ method, fields, at: performance.now() });
    // A rate limit comes before every other refusal.
    if (method === 'chat.postMessage' && this.#tooSoon(String(fields.channel))) {
      tooFast(response, 1);
      return;
    }
    const index = this.#faults.findIndex((each) => each.method === method);
    const [{ fault } = { fault: null }] = index < 0 ? [] : this.#faults.splice(index, 1);
    if (fault?.kind === 'drop') {
      request.socket.destroy();
      return;
    }
    if (fault?.kind === 'delay') await delay(fault.ms);
    if (fault?.kind === 'rate_limited') {
      tooFast(response, fault.retryAfterSeconds);
      return;
    }
    if (fault?.kind === 'error') {
      this.#refuse(response, method, fault.error);
      return;
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (method !== 'oauth.v2.access' && token !== this.workspace.botToken) {
      this.#refuse(response, method, 'invalid_auth');
      return;
    }
    const answer = this.perform(method, fields);
    if (fault?.kind === 'drop_after') {
      request.socket.destroy();
      return;
    }
    if (typeof answer === 'string') this.#refuse(response, method, answer);
    else json(response, { ok: true, ...answer });
  }

  /** The consent page, which always consents. */
  #authorize(url: URL, response: ServerResponse): void {
    if (url.searchParams.get('client_id') !== this.workspace.clientId) {
      response.writeHead(400).end('unknown client_id');
      return;
    }
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('code', this.consent());
    back.searchParams.set('state', url.searchParams.get('state') ?? '');
    response.writeHead(302, { location: back.href }).end();
  }

  /** A press of a button on the page. */
  async #act(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const user = form.get('as') ?? '';
    const message = this.messages.find(({ ts }) => ts === form.get('ts'));
    const modal = this.modals.find(({ id }) => id === form.get('modal'));
    const reply = form.get('reply');
    if (message !== undefined && reply !== null) await this.reply(message, reply, user);
    else if (modal !== undefined && modal.view.submit === undefined) this.modals.splice(this.modals.indexOf(modal), 1);
    else if (modal !== undefined) await this.submitModal(modal, form.get('comment') ?? '', user);
    else if (message !== undefined) await this.press(message, form.get('action') ?? '', user);
    else if (form.get('command') !== null)
      await this.command(form.get('command') ?? '', user, form.get('channel') ?? '');
    else if (form.get('dismiss') !== null)
      for (const each of this.ephemerals.filter(({ user: reader }) => reader === user)) each.dismissed = true;
    // Countersign opens the modal after its acknowledgement.
    if (/reject|request_changes|confirm/.test(form.get('action') ?? '')) await delay(400);
    // The result of a press comes a moment later. So the page reloads itself, unless it shows a field to type in.
    const again = message !== undefined && !this.modals.some((each) => each.user === user) ? '&again' : '';
    response.writeHead(303, { location: `/?as=${encodeURIComponent(user)}${again}` }).end();
  }

  /** Takes the next message of each channel at once. */
  freePace(): void {
    this.#lastAt.clear();
  }

  #tooSoon(channel: string): boolean {
    const now = performance.now();
    const last = this.#lastAt.get(channel);
    if (last !== undefined && now - last < PACE_MS - TOLERANCE_MS) return true;
    this.#lastAt.set(channel, now);
    return false;
  }

  #refuse(response: ServerResponse, method: string, error: string): void {
    this.refusals.push({ method, error, problems: [] });
    json(response, { ok: false, error });
  }

  #sender(user: string): Fields {
    const { appId, teamId, teamName, users } = this.workspace;
    return {
      api_app_id: appId,
      team: { id: teamId, domain: teamName },
      user: { id: user, username: users[user] ?? user, team_id: teamId },
    };
  }
}

const formOf = (payload: Fields): string => new URLSearchParams({ payload: JSON.stringify(payload) }).toString();

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  // A request without an encoding gives buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Slack takes forms, with structured values as JSON. */
function fieldsOf(request: IncomingMessage, body: string): Fields {
  if ((request.headers['content-type'] ?? '').includes('json')) return fieldsSchema.parse(JSON.parse(body));
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([key, value]) => [key, /^[[{]/.test(value) ? jsonOr(value) : value]),
  );
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const json = (response: ServerResponse, body: Fields): void => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
};

const tooFast = (response: ServerResponse, seconds: number): void => {
  response
    .writeHead(429, { 'retry-after': String(seconds), 'content-type': 'application/json' })
    .end(JSON.stringify({ ok: false, error: 'ratelimited' }));
};
