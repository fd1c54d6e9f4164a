import { Agent, request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { SlackCallError } from '../application/slack.ports.js';

const CALL_WITHIN_MS = 10_000;

/** Errors of Slack that may be gone at the next attempt. */
const TRANSIENT = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'ratelimited',
  'rate_limited',
]);

const answerSchema = z.union([
  z.looseObject({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), error: z.string() }),
]);

/** Every method of Slack takes a form, with lists and objects as JSON in it. */
export const formOf = (parameters: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();

/**
 * Sends calls to Slack, each once: a caller decides about another attempt, since it knows the effect of a second call. Connections stay
 * open between calls. No redirect is followed: its target would get the token.
 */
export class SlackCalls {
  readonly #agent = new Agent();

  /** @param siteUrl Slack, or a local server in its place. */
  constructor(private readonly siteUrl: string) {}

  /** @returns the answer of a call that Slack has carried out. @throws {SlackCallError} */
  async send(method: string, form: string, token?: string): Promise<unknown> {
    const { statusCode, headers, text } = await this.#exchange(method, form, token);
    if (statusCode === 429) throw new SlackCallError('rate_limited', true, waitMs(headers['retry-after']));
    if (statusCode !== 200)
      throw new SlackCallError(`http_${String(statusCode)}`, statusCode < 400 || statusCode >= 500);
    const answer = answerSchema.safeParse(jsonIn(text));
    if (!answer.success) throw new SlackCallError('unexpected_answer', false);
    if (!answer.data.ok) throw new SlackCallError(answer.data.error, TRANSIENT.has(answer.data.error));
    return answer.data;
  }

  async #exchange(
    method: string,
    form: string,
    token: string | undefined,
  ): Promise<Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { readonly text: string }> {
    try {
      const { statusCode, headers, body } = await request(`${this.siteUrl}/api/${method}`, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': 'countersign',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: form,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(CALL_WITHIN_MS),
      });
      // Read in any case: the connection is free after it.
      return { statusCode, headers, text: await body.text() };
    } catch {
      throw new SlackCallError('unreachable', true);
    }
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Slack says how many seconds to wait. */
function waitMs(retryAfter: string | string[] | undefined): number {
  const seconds = Number(retryAfter);
  return (seconds > 0 ? seconds : 1) * 1_000;
}
