import type { IncomingHttpHeaders } from 'node:http';
import type { FetchFunction } from '@slack/web-api';
import { Agent, request } from 'undici';

/**
 * Calls as Slack's client makes them. The global `fetch` makes streams, a request and a response for each call, which takes longer than
 * to send it. Connections stay open between calls, as they do there. No redirect is followed: its target would get the token.
 */
export function slackFetch(): FetchFunction {
  const agent = new Agent();
  return async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    if (typeof body === 'object') throw new Error('No file is sent to Slack.');
    const answer = await request(url, {
      method,
      headers,
      dispatcher: agent,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    const { statusCode: status, headers: fields } = answer;
    // Read in any case: the connection is free after it.
    const text = await answer.body.text();
    if (status >= 300 && status < 400) throw new Error(`Slack redirects, with status ${String(status)}.`);
    return new Response(text === '' ? null : text, { status, headers: headersOf(fields) });
  };
}

const headersOf = (fields: IncomingHttpHeaders): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  return headers;
};
