import type { Answer, HttpAs } from './api.js';

/** Calls over the network, at this address, as one credential or as none. Paths begin with `/`. A string body is sent as YAML. */
export function httpAt(address: string, token?: string): HttpAs {
  const send: HttpAs['send'] = async (method, path, body, headers = {}): Promise<Answer> => {
    const answer = await fetch(`${address}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined
          ? {}
          : { 'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '');
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
      text,
    };
  };
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
}
