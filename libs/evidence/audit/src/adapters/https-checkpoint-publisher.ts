import type { CheckpointPlace, CheckpointPublisher, PublicationAnswer } from '../application/audit.ports.js';

const TIMEOUT_MS = 10_000;
const MAX_NOTE_BYTES = 16_384;

export interface HttpsCheckpointPublisherOptions {
  /** Where checkpoints go: `PUT <url>/<origin>/<size>`. */
  readonly url: string;
  /** Sent as a bearer token if the place wants one. */
  readonly token?: string;
  readonly fetch: typeof fetch;
}

/**
 * Checkpoints by HTTPS PUT. The place answers 200, 201 or 204 when it holds the checkpoint; 409 with a larger
 * checkpoint, or with another for the same size, as the body when it refuses. Anything else is tried again.
 */
export class HttpsCheckpointPublisher implements CheckpointPublisher, CheckpointPlace {
  readonly elsewhere = true;
  private readonly base: string;

  constructor(private readonly options: HttpsCheckpointPublisherOptions) {
    if (new URL(options.url).protocol !== 'https:') throw new Error('Checkpoints are published over https: only.');
    this.base = options.url.replace(/\/+$/, '');
  }

  async publish(origin: string, treeSize: number, note: string): Promise<PublicationAnswer> {
    const { token } = this.options;
    const response = await this.options.fetch(`${this.base}/${origin}/${String(treeSize)}`, {
      method: 'PUT',
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: note,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
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

  /** The place answers a PUT alone: it takes a checkpoint that it holds again, and answers 409 if it holds more. */
  async held(
    origin: string,
    ours: { readonly treeSize: number; readonly note: string } | null,
  ): Promise<string | null> {
    if (ours === null) return null;
    const answer = await this.publish(origin, ours.treeSize, ours.note);
    return answer.outcome === 'published' ? null : answer.held;
  }
}
