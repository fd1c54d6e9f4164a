import type { Problem } from '#lib/contracts';
import { ApiError, notOurs, unreachable } from './api-error.js';
import { isAttended } from './attendance.js';
import { reasonFor } from './stated-reason.js';

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

let csrfToken: string | null = null;

/** Called by whoever reads the session: changes are sent with this token from then on. */
export const rememberCsrfToken = (token: string | null): void => {
  csrfToken = token;
};

/** A path with those parameters that have a value. */
export function pathWith(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function request(
  method: string,
  path: string,
  body?: unknown,
  extra: Record<string, string> = {},
): Promise<Response> {
  const changes = method !== 'GET';
  return fetch(path, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body === undefined
        ? {}
        : { 'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json' }),
      ...(changes && csrfToken !== null ? { 'x-countersign-csrf': csrfToken } : {}),
      // What a page reads by itself, because something changed, is no use of the session.
      ...(changes || isAttended() ? {} : { 'x-countersign-unattended': '1' }),
      ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
      ...extra,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw unreachable();
  });
}

async function send<T>(method: string, path: string, body?: unknown, extra: Record<string, string> = {}): Promise<T> {
  try {
    return await documentOf<T>(await request(method, path, body, extra));
  } catch (error) {
    // A change that loosens a guardrail is sent again with the reason, once the person has given it.
    const reason = error instanceof ApiError ? await reasonFor(error.problem) : null;
    if (reason === null) throw error;
    return documentOf<T>(await request(method, path, body, { ...extra, ...reason }));
  }
}

async function documentOf<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T;
  const document: unknown = await response.json().catch(() => {
    throw notOurs(response.status);
  });
  if (response.ok) return document as T;
  throw isProblem(document) ? new ApiError(document) : notOurs(response.status);
}

const isProblem = (document: unknown): document is Problem =>
  typeof document === 'object' && document !== null && 'code' in document && 'detail' in document;

async function bytesOf(path: string, body: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const response = await request('POST', path, body);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : documentOf(response);
}

async function textOf(path: string): Promise<string> {
  const response = await request('GET', path, undefined, { accept: 'application/yaml' });
  return response.ok ? response.text() : documentOf(response);
}

/** The API of the same origin. Every method rejects with an {@link ApiError}. */
export const api = {
  get: <T>(path: string, query?: Query): Promise<T> => send<T>('GET', pathWith(path, query)),
  post: <T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T> =>
    send<T>('POST', path, body, headers),
  /** The answer byte for byte. */
  bytes: bytesOf,
  /** A document that is not JSON. */
  text: textOf,
  put: <T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T> =>
    send<T>('PUT', path, body, headers),
  patch: <T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T> =>
    send<T>('PATCH', path, body, headers),
  delete: <T>(path: string, headers?: Record<string, string>): Promise<T> =>
    send<T>('DELETE', path, undefined, headers),
};
