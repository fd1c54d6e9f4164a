import { randomUUID } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addressOf,
  AnswerTooLong,
  boundedAnswer,
  eventsOf,
  isPassing,
  jsonIn,
  pauseMs,
  problemIn,
  retryAfterOf,
  type Problem,
  type SentCall,
} from '#lib/client';

/** Countersign refused a request, or could not be reached. `code` is stable; decide by it. */
export class CountersignError extends Error {
  readonly code: string;
  /** The HTTP status, 0 if there was no answer. */
  readonly status: number;

  constructor(
    readonly problem: Problem,
    options?: ErrorOptions,
  ) {
    super(`${problem.detail}${problem.action === undefined ? '' : ` ${problem.action}`}`, options);
    this.name = 'CountersignError';
    this.code = problem.code;
    this.status = problem.status;
  }
}

/** How the API is reached, and as whom. */
export interface TransportOptions {
  /** Countersign's address, `https://countersign.example`. */
  readonly baseUrl: string;
  /** Sends tokens over http to any host, unencrypted. Without it, http is for this machine only. */
  readonly allowPlainHttp?: boolean;
  /** The credential, sent as a bearer token; without it only public routes answer. */
  readonly token?: string;
  /** How often a request is sent at most; unlimited if left out. Nothing is sent again later than ten seconds after the first failure. */
  readonly attempts?: number;
  /** How long one attempt may take, in milliseconds, beside `wait_seconds` of the call. */
  readonly timeoutMs?: number;
  /** How long an answer may be, in bytes; 64 MiB if left out. A stream of events has this limit for each event. */
  readonly maxAnswerBytes?: number;
  /** The reason for changes of guardrails; the confirming person reads it. */
  readonly reason?: string;
  readonly fetch?: typeof fetch;
}

/** A request, with the media type of its answer and its own key for repetitions. */
export interface RequestOptions extends SentCall {
  readonly accept?: string;
  readonly idempotencyKey?: string;
}

/** An event of a stream, with its data as text. */
export interface ServerSentEvent {
  /** Null if the event has no id of its own. */
  readonly id: string | null;
  readonly type: string;
  readonly data: string;
}

/** An answer that is no JSON, as text. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** How long after its first failure a request is sent again. */
const RETRY_MS = 10_000;

/** Whether a text can stand behind `Bearer` (RFC 6750 section 2.1). */
export const isBearerToken = (text: string): boolean => /^[A-Za-z0-9._~+/-]+=*$/.test(text);

/**
 * Whether Countersign can be reached at a text: an http or https address without user, password, query or fragment. Errors show the
 * address, and paths are added to it. Options come from plain JavaScript and its environment, so that the text may be anything.
 */
export function isAddress(text: unknown): boolean {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  return (
    url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === ''
  );
}

/** The reason why no token is sent to an address. */
export interface UnencryptedWay {
  readonly code: 'connection.plain_http';
  readonly detail: string;
  readonly action: string;
}

/**
 * The refusal of an address to which tokens would go unencrypted. Null if it is https, or http to this machine.
 *
 * @param address an http or https address.
 * @param permission the way to call the network private, for the reader of the refusal.
 */
export function unencryptedWay(address: string, permission: string): UnencryptedWay | null {
  const { protocol, hostname, host } = new URL(address);
  const here = hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
  if (protocol === 'https:' || here) return null;
  return {
    code: 'connection.plain_http',
    detail: `Tokens would go to ${host} unencrypted.`,
    action: `Use https://, or ${permission} if the network on the way is private.`,
  };
}

/**
 * Whether a request may be sent again after a refusal. A PUT, PATCH or DELETE has no key. It could have taken effect,
 * and its repetition could undo a later change by somebody else. A 429 comes before any effect.
 */
const mayRepeat = (method: string, { problem }: CountersignError): boolean =>
  isPassing(problem) && (method === 'GET' || method === 'POST' || problem.status === 429);

/**
 * Requests to the API. Every POST carries an Idempotency-Key, the same for every attempt. So it is sent again after a
 * broken connection, and takes effect once.
 */
export class Transport {
  readonly #base: string;
  readonly #options: TransportOptions;

  /**
   * @throws {TypeError} if {@link isAddress} is false of the address, or if the text is no token. Neither is
   * shown: a header that refuses a token would show it whole.
   * @throws {CountersignError} `connection.plain_http` if the token would leave this machine unencrypted.
   */
  constructor(options: TransportOptions) {
    if (!isAddress(options.baseUrl))
      throw new TypeError(
        'baseUrl must be the address of Countersign without user, query or fragment, such as https://countersign.example.',
      );
    const refused = unencryptedWay(options.baseUrl, 'say allowPlainHttp: true');
    if (options.allowPlainHttp !== true && refused !== null)
      throw new CountersignError(withoutAnswer(refused.code, { title: 'Not encrypted', ...refused }));
    if (options.token !== undefined && !isBearerToken(options.token.trim()))
      throw new TypeError('The token holds something that no bearer token does.');
    this.#base = options.baseUrl.replace(/\/+$/, '');
    this.#options = options;
  }

  /** @throws {CountersignError} */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const attempts = this.#options.attempts ?? Infinity;
    const key = options.idempotencyKey ?? randomUUID();
    let until = Infinity;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(method, path, options, key);
      } catch (error) {
        if (!(error instanceof CountersignError) || !mayRepeat(method, error) || attempt >= attempts) throw error;
        until = Math.min(until, performance.now() + RETRY_MS);
        const pause = pauseMs(attempt, error.problem.retry_after_seconds);
        if (performance.now() + pause > until) throw error;
        await delay(pause);
      }
    }
  }

  /** @throws {CountersignError} */
  async json(method: string, path: string, options: RequestOptions = {}): Promise<unknown> {
    const { text } = await this.request(method, path, options);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  /**
   * Server-sent events; ends with the stream. The caller asks again with the last id.
   *
   * @throws {CountersignError}
   */
  async *events(path: string, lastEventId: string | null, signal?: AbortSignal): AsyncGenerator<ServerSentEvent> {
    const headers = this.#headers({ accept: 'text/event-stream' });
    if (lastEventId !== null) headers.set('last-event-id', lastEventId);
    const answer = await this.#fetch(`${this.#base}${path}`, { headers, ...(signal === undefined ? {} : { signal }) });
    if (!answer.ok || answer.body === null) throw errorOf(answer, await this.#textOf(answer));
    try {
      for await (const { id, event, data } of eventsOf(answer.body, this.#options.maxAnswerBytes))
        yield { id: id ?? null, type: event ?? 'message', data };
    } catch (cause) {
      throw this.#withoutPart(cause);
    }
  }

  /**
   * An answer that may be long, piece by piece as it comes; it has no time limit.
   *
   * @throws {CountersignError}
   */
  async *pieces(path: string, accept: string): AsyncGenerator<string> {
    const answer = await this.#fetch(`${this.#base}${path}`, { headers: this.#headers({ accept }) });
    if (!answer.ok || answer.body === null) throw errorOf(answer, await this.#textOf(answer));
    yield* answer.body.pipeThrough(new TextDecoderStream());
  }

  async #once(method: string, path: string, options: RequestOptions, key: string): Promise<Answer> {
    const headers = this.#headers(options);
    if (method === 'POST') headers.set('idempotency-key', key);
    const body = options.yaml ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const answer = await this.#fetch(`${this.#base}${addressOf(path, options.query)}`, {
      method,
      headers,
      signal: AbortSignal.timeout((this.#options.timeoutMs ?? 30_000) + heldMs(options)),
      ...(body === undefined ? {} : { body }),
    });
    const text = await this.#textOf(answer);
    if (!answer.ok) throw errorOf(answer, text);
    return { status: answer.status, headers: answer.headers, text };
  }

  #headers(options: RequestOptions): Headers {
    const headers = new Headers({ accept: options.accept ?? 'application/json' });
    if (options.yaml !== undefined) headers.set('content-type', 'application/yaml');
    else if (options.body !== undefined) headers.set('content-type', 'application/json');
    if (options.ifMatch !== undefined) headers.set('if-match', options.ifMatch);
    if (this.#options.reason !== undefined) headers.set('countersign-reason', encodeURIComponent(this.#options.reason));
    if (this.#options.token !== undefined) headers.set('authorization', `Bearer ${this.#options.token}`);
    return headers;
  }

  #textOf(answer: Response): Promise<string> {
    return this.#reached(boundedAnswer(answer, this.#options.maxAnswerBytes).text());
  }

  #fetch(url: string, init: RequestInit): Promise<Response> {
    return this.#reached((this.#options.fetch ?? fetch)(url, { ...init, redirect: 'error' }));
  }

  /** Part of an answer. The connection may break before or after its head. */
  async #reached<Part>(part: Promise<Part>): Promise<Part> {
    try {
      return await part;
    } catch (cause) {
      throw this.#withoutPart(cause);
    }
  }

  #withoutPart(cause: unknown): CountersignError {
    if (cause instanceof AnswerTooLong) return new CountersignError(tooLong(cause), { cause });
    const problem = withoutAnswer('connection.failed', {
      title: 'No answer',
      detail: `${this.#base} cannot be reached (${reasonOf(cause)}).`,
      action: 'See that Countersign runs there, and that the address is right.',
    });
    return new CountersignError(problem, { cause });
  }
}

const withoutAnswer = (code: string, words: Pick<Problem, 'title' | 'detail' | 'action'>): Problem => ({
  type: `urn:countersign:problem:${code}`,
  status: 0,
  code,
  instance: '',
  ...words,
});

/** The refusal of an event if its data are no JSON. */
export const eventMalformed = (path: string): CountersignError =>
  new CountersignError(
    withoutAnswer('connection.event_malformed', {
      title: 'A malformed event',
      detail: `${path} sent an event whose data are no JSON.`,
      action: 'See that nothing on the way changes its answers.',
    }),
  );

const tooLong = ({ message }: AnswerTooLong): Problem =>
  withoutAnswer('connection.answer_too_long', {
    title: 'Answer too long',
    detail: message,
    action: 'Ask for less, or raise maxAnswerBytes.',
  });

/** How long the server may hold its answer. */
const heldMs = ({ query }: RequestOptions): number => (Number(query?.wait_seconds ?? 0) || 0) * 1_000;

/** The innermost reason: `fetch failed` says nothing. Errors of several addresses have a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

function errorOf({ status, statusText, headers }: Response, text: string): CountersignError {
  const unexpected = {
    type: 'about:blank',
    title: statusText,
    status,
    detail: `Answered with status ${String(status)} and no problem document; something else may listen there.`,
    code: 'connection.unexpected_answer',
    instance: '',
    ...retryAfterOf(headers),
  };
  return new CountersignError(problemIn(jsonIn(text), headers) ?? unexpected);
}
