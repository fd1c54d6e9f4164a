import { FailureError, type Failure } from '#lib/kernel';
import type { PublishedCheckpoints, CheckpointPublisher, PublicationAnswer } from '../application/audit.ports.js';

const TIMEOUT_MS = 10_000;
const MAX_NOTE_BYTES = 16_384;

export interface HttpsCheckpointPublisherOptions {
  /** The destination of checkpoints: `PUT <url>/<origin>/<size>`; the largest is read by `GET <url>/<origin>`. */
  readonly url: string;
  /** Sent as a bearer token if the destination wants one. */
  readonly token?: string;
  readonly fetch: typeof fetch;
}

interface Asked {
  readonly method: 'GET' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Checkpoints by HTTPS PUT. The destination answers 200, 201 or 204 when it holds the checkpoint; 409 with a larger
 * checkpoint, or with another for the same size, as the body when it refuses. Anything else is tried again. It is asked
 * for its largest checkpoint by GET: 200 with the note, or 404 if it has none.
 *
 * A destination that answers 404 to each GET would make the check for a lost end of the log blind. So the first
 * checkpoint of each log that a process publishes is asked for again. It counts as published only if the destination
 * shows one.
 */
export class HttpsCheckpointPublisher implements CheckpointPublisher, PublishedCheckpoints {
  readonly elsewhere = true;
  readonly #base: string;
  /** Logs of which the destination has shown a checkpoint. */
  readonly #shown = new Set<string>();

  constructor(private readonly options: HttpsCheckpointPublisherOptions) {
    if (new URL(options.url).protocol !== 'https:') throw new Error('Checkpoints are published over https: only.');
    this.#base = options.url.replace(/\/+$/, '');
  }

  /** @throws {FailureError} `audit.destination_shows_nothing`; an error if the destination can't be reached, or answers something else. */
  async publish(origin: string, treeSize: number, note: string): Promise<PublicationAnswer> {
    const response = await this.#ask(`${origin}/${String(treeSize)}`, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: note,
    });
    if ([200, 201, 204].includes(response.status)) {
      await response.body?.cancel();
      await this.#seeShown(origin);
      return { outcome: 'published' };
    }
    if (response.status !== 409) {
      await response.body?.cancel();
      throw new Error(`The destination for checkpoints answered ${String(response.status)}.`);
    }
    const held = (await response.text()).slice(0, MAX_NOTE_BYTES);
    return { outcome: Number(held.split('\n')[1]) === treeSize ? 'fork' : 'behind', held };
  }

  async held(origin: string): Promise<string | null> {
    const response = await this.#ask(origin, { method: 'GET' });
    if (response.status === 200) return (await response.text()).slice(0, MAX_NOTE_BYTES);
    await response.body?.cancel();
    if (response.status === 404) return null;
    throw new Error(`The destination for checkpoints answered ${String(response.status)} to a GET.`);
  }

  async #seeShown(origin: string): Promise<void> {
    if (this.#shown.has(origin)) return;
    if ((await this.held(origin)) === null) throw new FailureError(showsNothing(this.#base, origin));
    this.#shown.add(origin);
  }

  #ask(path: string, { headers = {}, ...init }: Asked): Promise<Response> {
    const { token } = this.options;
    return this.options.fetch(`${this.#base}/${path}`, {
      ...init,
      headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}

const showsNothing = (base: string, origin: string): Failure => ({
  kind: 'unavailable',
  code: 'audit.destination_shows_nothing',
  message: `The destination for checkpoints took one by PUT, and answered 404 to GET of ${base}/${origin}. A lost end of the log would go unseen.`,
  action:
    'Have COUNTERSIGN_CHECKPOINT_URL answer GET with the largest checkpoint that it holds. Until then no checkpoint counts as published.',
});
