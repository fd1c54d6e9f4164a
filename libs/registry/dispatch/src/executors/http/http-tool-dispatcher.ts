import { request } from 'undici';
import { parseStrictJson } from '#lib/canonical';
import {
  GRANT_HEADER,
  toolCallRefusalSchema,
  toolCallResponseSchema,
  type ToolCallRequest,
  type ToolCallResponse,
} from '#lib/formats';
import { AddressRefusedError } from '#lib/outbound';
import { traceParent } from '#lib/tracing';
import { errorCode } from '#lib/kernel';
import type { IssueGrant } from '../../application/issue-grant.js';
import { outcomeOfAnswer } from '../../application/outcome-of-answer.js';
import { recordable } from '../../application/recordable-outcome.js';
import { resolveCallSecrets } from '../../application/resolve-call-secrets.js';
import type { SecretResolver } from '../../application/secret-resolver.port.js';
import {
  notStarted,
  type DispatchOrder,
  type DispatchOutcome,
  type ToolDispatcher,
} from '../../application/tool-dispatcher.port.js';
import type { OutboundAgents } from '../../adapters/tenant-agents.js';
import { codeBeforeSending, rootCause, saysNotCarriedOut } from '../connection-errors.js';

/** More than this of an answer is not read. */
const MAX_ANSWER_BYTES = 1_048_576;

const unknown = (code: string, message: string): DispatchOutcome => ({ kind: 'unknown', error: { code, message } });

/** Calls `http` executors: `POST <url>` with a ToolCallRequest, the grant in a header. */
export class HttpToolDispatcher implements ToolDispatcher {
  constructor(
    private readonly issueGrant: Pick<IssueGrant, 'execute'>,
    private readonly secrets: SecretResolver,
    private readonly agents: OutboundAgents,
  ) {}

  async dispatch(order: DispatchOrder): Promise<DispatchOutcome> {
    const { url } = order.executor;
    if (url === null) return notStarted('dispatch.unreachable', `Executor ${order.executor.name} has no address.`);
    const resolved = await resolveCallSecrets(this.secrets, order);
    if (!resolved.ok) return resolved.error;
    const { values: secrets, references } = resolved.value;
    const bearer = order.executor.secret;

    const body: ToolCallRequest = {
      tool: order.tool.name,
      tool_version: order.tool.version,
      // Zod's type of JSON has no readonly members.
      arguments: order.arguments as ToolCallRequest['arguments'],
      secrets: Object.fromEntries(references.map((reference) => [reference, secrets.get(reference) ?? ''])),
      idempotency_key: order.idempotencyKey,
    };
    const token = bearer === null ? undefined : secrets.get(bearer);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...tracing(),
    };
    return recordable(await this.#send(order, url, headers, JSON.stringify(body)), secrets);
  }

  async #send(
    order: DispatchOrder,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<DispatchOutcome> {
    // A server may have closed a kept connection. Then nobody knows whether the call arrived, so none is sent that may not be repeated.
    const dispatcher = await this.agents.agentFor(order.tenantId, order.tool.idempotent ? 'kept' : 'own');
    const grant = await this.issueGrant.execute(order);
    if (grant === null) {
      return notStarted('dispatch.overtaken', 'The call did not leave in time, or a halt came before it.');
    }
    const limitMs = order.tool.timeLimitSeconds * 1_000;
    try {
      const answer = await request(url, {
        method: 'POST',
        dispatcher,
        headers: { ...headers, [GRANT_HEADER]: grant },
        body,
        headersTimeout: limitMs,
        bodyTimeout: limitMs,
        signal: AbortSignal.timeout(limitMs),
      });
      const bytes = await readBounded(answer.body);
      return outcomeOf(answer.statusCode, bytes, order.executor.name);
    } catch (error) {
      return outcomeOfError(error, order);
    }
  }
}

/** Only the trace parent travels (W3C Trace Context): baggage and state may hold the data of others. */
function tracing(): Readonly<Record<string, string>> {
  const parent = traceParent();
  return parent === null ? {} : { traceparent: parent };
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function outcomeOf(status: number, bytes: Uint8Array | null, executor: string): DispatchOutcome {
  if (saysNotCarriedOut(status)) {
    const said = reasonIn(bytes);
    const why = said === null ? '.' : `: ${said}`;
    return notStarted('dispatch.refused', `Executor ${executor} answered with status ${String(status)}${why}`);
  }
  if (status !== 200)
    return unknown('dispatch.bad_status', `Executor ${executor} answered with status ${String(status)}.`);
  const answer = parseAnswer(bytes);
  if (answer === null) {
    return unknown('dispatch.bad_answer', `Executor ${executor} answered something that is not a ToolCallResponse.`);
  }
  return outcomeOfAnswer(answer);
}

/** The executor's reason for a refusal, in its own words; null if it gives none, or a very long one. */
function reasonIn(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  try {
    const { code, detail, message } = toolCallRefusalSchema.parse(parseStrictJson(new TextDecoder().decode(bytes)));
    const said = [code, detail ?? message].filter((part) => part !== undefined && part !== '').join(': ');
    return said === '' ? null : said;
  } catch {
    return null;
  }
}

function parseAnswer(bytes: Uint8Array | null): ToolCallResponse | null {
  if (bytes === null) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return toolCallResponseSchema.parse(parseStrictJson(text));
  } catch {
    // An unreadable answer proves nothing about the effect.
    return null;
  }
}

function outcomeOfError(error: unknown, order: DispatchOrder): DispatchOutcome {
  const cause = rootCause(error);
  if (cause instanceof AddressRefusedError) return notStarted(cause.code, `${cause.message}.`);
  const before = codeBeforeSending(cause);
  if (before !== null) {
    return notStarted('dispatch.unreachable', `Executor ${order.executor.name} cannot be reached (${before}).`);
  }
  const code = errorCode(cause);
  const name = 'name' in cause ? cause.name : undefined;
  if (name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return unknown(
      'dispatch.timed_out',
      `Executor ${order.executor.name} did not answer within ${String(order.tool.timeLimitSeconds)} seconds.`,
    );
  }
  return unknown(
    'dispatch.connection_lost',
    `The connection to executor ${order.executor.name} broke before it answered.`,
  );
}
