import type { CheckpointPlace, CheckpointPublisher, PublicationAnswer } from '../application/audit.ports.js';

const TIMEOUT_MS = 10_000;
const MAX_NOTE_BYTES = 16_384;

export interface HttpsCheckpointPublisherOptions {
  /** Where checkpoints go: `PUT <url>/<origin>/<size>`; and where the largest is read: `GET <url>/<origin>`. */
  readonly url: string;
  /** Sent as a bearer token if the place wants one. */
  readonly token?: string;
  readonly fetch: typeof fetch;
}

interface Asked {
  readonly method: 'GET' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Checkpoints by HTTPS PUT. The place answers 200, 201 or 204 when it holds the checkpoint; 409 with a larger
 * checkpoint, or with another for the same size, as the body when it refuses. Anything else is tried again. It is asked
 * for its largest checkpoint by GET: 200 with the note, or 404 if it has none.
 */
export class HttpsCheckpointPublisher implements CheckpointPublisher, CheckpointPlace {
  readonly elsewhere = true;
  private readonly base: string;

  constructor(private readonly options: HttpsCheckpointPublisherOptions) {
    if (new URL(options.url).protocol !== 'https:') throw new Error('Checkpoints are published over https: only.');
    this.base = options.url.replace(/\/+$/, '');
  }

  async publish(origin: string, treeSize: number, note: string): Promise<PublicationAnswer> {
    const response = await this.#ask(`${origin}/${String(treeSize)}`, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: note,
    });
    if ([200, 201, 204].includes(response.status)) {
      await response.body?.cancel();
      return { outcome: 'published' };
    }
    if (response.status !== 409) {
      await response.body?.cancel();
      throw new Error(`The place for checkpoints answered ${String(response.status)}.`);
    }
    const held = (await response.text()).slice(0, MAX_NOTE_BYTES);
    return { outcome: Number(held.split('\n')[1]) === treeSize ? 'fork' : 'behind', held };
  }

  async held(origin: string): Promise<string | null> {
    const response = await this.#ask(origin, { method: 'GET' });
    if (response.status === 200) return (await response.text()).slice(0, MAX_NOTE_BYTES);
    await response.body?.cancel();
    if (response.status === 404) return null;
    throw new Error(`The place for checkpoints answered ${String(response.status)} to a GET.`);
  }

  #ask(path: string, { headers = {}, ...init }: Asked): Promise<Response> {
    const { token } = this.options;
    return this.options.fetch(`${this.base}/${path}`, {
      ...init,
      headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}
