import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toolCallRequestSchema, type ToolCallRequest } from '#lib/formats';

/** A call as it arrived. `key` is the same for every attempt of one step. */
export interface ReceivedCall {
  readonly number: number;
  readonly key: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly attempt: number;
  /** All that came: secrets and bearer token, too. */
  readonly request: ToolCallRequest;
  readonly grant: string;
  readonly authorization: string | undefined;
  /** Whether it took effect. */
  done: boolean;
}

export interface ToolServer {
  readonly url: string;
  /** Every call that ever arrived, of any sender: outlives the workers. */
  readonly ledger: readonly ReceivedCall[];
  close(): Promise<void>;
}

/** A test's step `before` a call takes effect; if it returns false, the call never does, and gets no answer. */
export interface CallHooks {
  before(call: ReceivedCall): boolean | Promise<boolean>;
  /** The tool's answer; by default the call's number and no errors. */
  result?(call: ReceivedCall): unknown;
  /** Whether it answers with a failure. */
  fails?(call: ReceivedCall): boolean;
}

/** A tool server with a ledger of its own. Calls to read-only tools report the metric `errors`. */
export async function toolServer(hooks: CallHooks): Promise<ToolServer> {
  const ledger: ReceivedCall[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = toolCallRequestSchema.parse(JSON.parse(await textOf(request)));
    const grant = String(request.headers['countersign-grant']);
    const call: ReceivedCall = {
      number: ledger.length + 1,
      key: body.idempotency_key,
      tool: body.tool,
      arguments: body.arguments,
      attempt: attemptOf(grant),
      request: body,
      grant,
      authorization: request.headers.authorization,
      done: false,
    };
    ledger.push(call);
    if (!(await hooks.before(call))) return;
    call.done = true;
    const failure = { ok: false, effect: 'not_started', error: { code: 'service.down', message: 'It is down.' } };
    const success = { ok: true, result: hooks.result?.(call) ?? { metrics: { errors: 0 }, number: call.number } };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(hooks.fails?.(call) === true ? failure : success));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    ledger,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** From the grant's claims; its signature is the business of other tests. */
function attemptOf(grant: string): number {
  const payload = grant.split('.')[1];
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString('utf8')) as { attempt: number };
  return claims.attempt;
}
