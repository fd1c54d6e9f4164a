import type { Agent } from 'undici';
import { maskedBeginning, maskSecretText } from '#lib/kernel';
import { failureInWords, fetchThrough } from '#lib/outbound';
import { EmbedderFailedError, type EmbedderFailure } from '../domain/embedder-failed.js';
import { readVectors } from '../domain/read-vectors.js';

/** A server, and the model that it is asked for. */
export interface EmbedderAddress {
  /** The base of the address, as clients of OpenAI name it: `https://api.openai.com/v1`. */
  readonly url: string;
  readonly model: string;
  /** The length of a vector to ask for; null for that of the model. */
  readonly dimensions: number | null;
  /** The bearer token; null for none. */
  readonly token: string | null;
}

/** Of an answer, in bytes: 32 vectors of 4,096 dimensions with all their digits fit. */
const MAX_BYTES = 4 * 1_048_576;
/** Of an answer that is no vectors, in characters. */
const SHOWN = 500;

/**
 * The vectors of texts, in their order, each of length 1. One request, without a redirect.
 *
 * @param deadlineMs how long the answer is awaited.
 * @throws EmbedderFailedError
 */
export async function askEmbedder(
  agent: Agent,
  { url, model, dimensions, token }: EmbedderAddress,
  texts: readonly string[],
  deadlineMs: number,
): Promise<readonly Float32Array[]> {
  const shown = (text: string): string => withoutToken(text, token);
  const asked = {
    ...{ model, input: texts, encoding_format: 'float' },
    ...(dimensions === null ? {} : { dimensions }),
  };
  const options = {
    ...{ method: 'POST', body: JSON.stringify(asked), deadlineMs, maxBytes: MAX_BYTES },
    headers: {
      ...{ 'content-type': 'application/json', 'user-agent': 'Countersign-Embedder' },
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
  };
  let answer: Response;
  try {
    answer = await fetchThrough(agent, `${url.replace(/\/$/, '')}/embeddings`, options);
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new EmbedderFailedError('late', 'It did not answer in time.');
    throw new EmbedderFailedError('unavailable', shown(failureInWords(error)));
  }
  const body = await answer.text();
  if (answer.status === 200) return readVectors(body, texts.length, dimensions);
  const message = shown([`It answered ${String(answer.status)}.`, meaningOf(answer.status, token), body].join(' '));
  throw new EmbedderFailedError(failureOf(answer.status), message, waitOf(answer.headers.get('retry-after')));
}

/** 400, 413 and 422 speak about the texts; 401, 403, 404 and redirects about address, token or model. */
function failureOf(status: number): EmbedderFailure {
  if (status === 429) return 'limited';
  return [400, 413, 422].includes(status) ? 'rejected' : 'unavailable';
}

/** The usual reason of a status, for the admin who reads it before the server's own words. */
function meaningOf(status: number, token: string | null): string {
  if (status === 401 || status === 403)
    return token === null ? 'It asks for a token: set it.' : 'It does not accept this token for the model.';
  if (status === 404) return 'It has no such model, or no embeddings at this address.';
  if (status === 429) return 'It limits requests.';
  if (status >= 300 && status < 400) return 'It redirects, which is not followed: name the address it redirects to.';
  return failureOf(status) === 'rejected' ? 'It does not accept the text or the length of vectors.' : 'It fails.';
}

/** A server may name seconds or a date (RFC 9110 section 10.2.3). */
function waitOf(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** A server may repeat the token in its answer. */
function withoutToken(text: string, token: string | null): string {
  return maskedBeginning(text.trim(), SHOWN, (plain) =>
    maskSecretText(token === null ? plain : plain.replaceAll(token, '[masked]')),
  );
}
