import { addressOf, callsThrough, filledPath, type PathOf, type SentCall } from '#lib/client';
import { ApiError, notOurs, refusalOf, unreachable } from './api-error.js';
import { isAttended } from './attendance.js';
import { reasonFor } from './stated-reason.js';

let csrfToken: string | null = null;

/** Sets the token that every later change is sent with. */
export const rememberCsrfToken = (token: string | null): void => {
  csrfToken = token;
};

type Headers = Readonly<Record<string, string>>;

function headersOf(method: string, { body, yaml, ifMatch }: SentCall): Headers {
  const changes = method !== 'GET';
  return {
    accept: 'application/json, application/yaml',
    ...(yaml !== undefined && { 'content-type': 'application/yaml' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(changes && csrfToken !== null && { 'x-countersign-csrf': csrfToken }),
    // A reading that the page does by itself, because something changed, does not prolong the browser session.
    ...(!changes && !isAttended() && { 'x-countersign-unattended': '1' }),
    ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
  };
}

async function request(method: string, path: string, call: SentCall, extra: Headers = {}): Promise<Response> {
  const text = call.yaml ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  return fetch(addressOf(path, call.query), {
    method,
    credentials: 'same-origin',
    headers: { ...headersOf(method, call), ...extra },
    ...(text === undefined ? {} : { body: text }),
  }).catch(() => {
    throw unreachable();
  });
}

async function send(method: string, path: string, call: SentCall): Promise<unknown> {
  try {
    return await documentOf(await request(method, path, call));
  } catch (error) {
    // A change that loosens a guardrail is sent again with the reason, once the person has given it.
    const reason = error instanceof ApiError ? await reasonFor(error.problem) : null;
    if (reason === null) throw error;
    return documentOf(await request(method, path, call, reason));
  }
}

async function documentOf(response: Response): Promise<unknown> {
  if (!response.ok) throw await refusalOf(response);
  if (response.status === 204) return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/yaml')) return response.text();
  return response.json().catch(() => {
    throw notOurs(response.status);
  });
}

/** The API of the same origin. Every call rejects with an {@link ApiError}. */
export const api = callsThrough(send);

/** A pack of evidence, byte for byte. */
export async function packOf(
  path: PathOf<'post'> & `${string}/evidence`,
  id: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await request('POST', filledPath(path, { id }), { body: {} });
  if (!response.ok) throw await refusalOf(response);
  return new Uint8Array(await response.arrayBuffer());
}
