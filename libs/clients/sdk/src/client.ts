import { setTimeout as delay } from 'node:timers/promises';
import {
  addressOf,
  callsThrough,
  filledPath,
  isPassing,
  jsonIn,
  pauseMs,
  runEventIn,
  type components,
  type Calls,
  type paths,
} from '#lib/client';
import {
  CountersignError,
  eventMalformed,
  Transport,
  type Answer,
  type RequestOptions,
  type TransportOptions,
} from './transport.js';

type Schemas = components['schemas'];

const STREAM_RETRIES = 10;
const MAX_STREAM_PAUSE_MS = 60_000;

/**
 * The API, by method and path: `client.get('/v1/plans/{id}', { path: { id } })`. Every call rejects with a CountersignError
 * that carries the problem document. POSTs are sent again after a broken connection, under one idempotency key.
 */
export class CountersignClient {
  readonly get: Calls['get'];
  readonly post: Calls['post'];
  readonly put: Calls['put'];
  readonly patch: Calls['patch'];
  readonly delete: Calls['delete'];

  readonly #transport: Transport;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#transport = new Transport(options);
    const calls = callsThrough((method, path, call) => this.#transport.json(method, path, call));
    this.get = calls.get;
    this.post = calls.post;
    this.put = calls.put;
    this.patch = calls.patch;
    this.delete = calls.delete;
  }

  /** The same client with a reason: a change that loosens a guardrail waits for a second person. That person reads it. */
  because(reason: string): CountersignClient {
    return new CountersignClient({ ...this.#options, reason });
  }

  /** An answer as it came, with its headers: YAML, CSV, or JSON that is kept byte for byte. */
  answer(
    method: 'GET' | 'POST',
    path: keyof paths,
    { path: parameters, ...options }: RequestOptions & { readonly path?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer> {
    return this.#transport.request(method, filledPath(path, parameters), options);
  }

  /** An answer that may be long, piece by piece as it comes; it has no time limit. */
  pieces(path: keyof paths, query: RequestOptions['query'] = {}): AsyncIterable<string> {
    return this.#transport.pieces(addressOf(path, query), '*/*');
  }

  /**
   * The events of a run as they happen, until the run has ended. After a broken connection they go on from the last event. It skips an
   * event that it does not know: a newer server may have sent it.
   *
   * @throws {CountersignError} `connection.event_malformed` at an event whose data are no JSON.
   */
  async *runEvents(id: string, signal?: AbortSignal): AsyncGenerator<Schemas['RunEvent'], void> {
    const path = filledPath('/v1/runs/{id}/events', { id });
    let last: string | null = null;
    let broken = 0;
    while (signal?.aborted !== true) {
      try {
        for await (const event of this.#transport.events(path, last, signal)) {
          if (event.type === 'end') return;
          const known = runEventIn(event.data);
          if (known === null && jsonIn(event.data) === null) throw eventMalformed(path);
          last = event.id ?? last;
          broken = 0;
          if (known !== null) yield known;
        }
        await pause(pauseMs(1), signal);
      } catch (error) {
        broken += 1;
        if (!(error instanceof CountersignError) || !isPassing(error.problem) || broken > STREAM_RETRIES) throw error;
        const wait = pauseMs(broken, error.problem.retry_after_seconds);
        if (wait > MAX_STREAM_PAUSE_MS) throw error;
        await pause(wait, signal);
      }
    }
  }
}

/** Ends early, and well, if the caller wants no more. */
const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
