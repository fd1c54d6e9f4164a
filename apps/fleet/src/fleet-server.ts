import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { canonicalJson, parseStrictJson, ownMember } from '#lib/canonical';
import {
  GRANT_HEADER,
  toolCallRequestSchema,
  type GrantClaims,
  type ToolCallRequest,
  type ToolCallResponse,
} from '#lib/formats';
import { wordsOfIssue } from '#lib/words';
import { argumentsWithSecrets, GrantError, type GrantVerifier } from '#lib/sdk';
import { afterEntry, newFleet, type FleetState } from './fleet-state.js';
import type { Ledger, LedgerEntry, LedgerRecord } from './ledger.js';
import { type Tool, ToolRefusal, TOOLS } from './tools.js';

export interface FleetOptions {
  readonly ledger: Ledger;
  /** The gate: called before anything is looked at. */
  readonly verifyGrant: GrantVerifier;
  /** Whether `POST /faults` may break servers on purpose, for demonstrations and tests. */
  readonly allowFaults: boolean;
}

const MAX_BODY_BYTES = 1_048_576;
const faultSchema = z.strictObject({
  assets: z.array(z.string()).min(1),
  image: z.string().exactOptional(),
  effect: z.enum(['unhealthy', 'silent']).default('unhealthy'),
});

class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The tool server: `POST /tools` under a grant; `GET /ledger` and `GET /assets` show the real
 * effects. An example to start from: verify, check the arguments, write down, answer. A second call under an idempotency key has
 * no effect. It is written down as a repetition, and gets the answer of the first.
 */
export function fleetServer(options: FleetOptions): Server {
  let state: FleetState = options.ledger.entries.reduce(afterEntry, newFleet());

  const callTool = async (request: IncomingMessage): Promise<ToolCallResponse> => {
    const call = toolCallRequestSchema.parse(await readJson(request), { error: wordsOfIssue });
    const header = request.headers[GRANT_HEADER];
    const claims = await options.verifyGrant(typeof header === 'string' ? header : undefined, call);
    return execute(call, claims);
  };

  const execute = (call: ToolCallRequest, claims: GrantClaims): ToolCallResponse => {
    const tool = ownMember(TOOLS, call.tool);
    if (tool === undefined) return refused('fleet.no_such_tool', `This fleet has no tool ${call.tool}.`);
    if (!tool.changes) return answerOf(call, claims, tool);
    const done = options.ledger.doneUnder(claims.tenant, call.idempotency_key);
    if (done !== undefined) return repeated(call, claims, done);
    const answer = answerOf(call, claims, tool);
    if (answer.ok) state = afterEntry(state, options.ledger.append(recordOf(call, claims, answer.result, null)));
    return answer;
  };

  const answerOf = (call: ToolCallRequest, { environment }: GrantClaims, tool: Tool): ToolCallResponse => {
    try {
      // Each tool answers with JSON.
      return { ok: true, result: tool.answer(argumentsWithSecrets(call), { state, environment }) as never };
    } catch (error) {
      if (error instanceof ToolRefusal) return refused(error.code, error.message);
      if (error instanceof z.ZodError) return refused('fleet.bad_arguments', z.prettifyError(error));
      throw error;
    }
  };

  const repeated = (call: ToolCallRequest, claims: GrantClaims, done: LedgerEntry): ToolCallResponse => {
    if (canonicalJson([call.tool, call.arguments]) !== canonicalJson([done.tool, done.arguments]))
      return refused('fleet.key_reused', `Something else was done under this key: ${done.tool}.`);
    options.ledger.append(recordOf(call, claims, done.result, done.number));
    return { ok: true, result: done.result };
  };

  const injectFault = async (request: IncomingMessage): Promise<unknown> => {
    if (!options.allowFaults)
      throw new HttpError(403, 'fleet.faults_off', 'Start the fleet with --allow-faults for this.');
    const fault = faultSchema.parse(await readJson(request), { error: wordsOfIssue });
    const nobody = {
      grant: '',
      tenant: '',
      environment: '',
      source: null,
      step: '',
      attempt: 0,
      idempotency_key: null,
    };
    const record = { tool: 'inject_fault', arguments: fault, ...nobody, result: null, repeats: null };
    state = afterEntry(state, options.ledger.append(record));
    return fault;
  };

  const routes: Readonly<Record<string, (request: IncomingMessage) => unknown>> = {
    'POST /tools': callTool,
    'POST /faults': injectFault,
    'GET /ledger': () => ({ entries: options.ledger.entries }),
    'GET /assets': () => ({ assets: [...state.assets.values()] }),
    'GET /health': () => ({ status: 'ok' }),
  };

  return createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://fleet').pathname;
    const route = routes[`${request.method ?? 'GET'} ${path}`];
    if (route === undefined) {
      send(response, 404, {
        code: 'fleet.no_such_route',
        detail: `There is no ${path} here. Tools are called by POST /tools: give the executor that address.`,
      });
      return;
    }
    Promise.resolve(request)
      .then(route)
      .then(
        (answer) => {
          send(response, 200, answer);
        },
        (error: unknown) => {
          const { status, body } = problemOf(error);
          send(response, status, body);
        },
      );
  });
}

function recordOf(
  call: ToolCallRequest,
  { jti, tenant, environment, source, step, attempt }: GrantClaims,
  result: LedgerEntry['result'],
  repeats: number | null,
): LedgerRecord {
  const { tool, arguments: given, idempotency_key } = call;
  return {
    tool,
    arguments: given,
    grant: jti,
    tenant,
    environment,
    source,
    step,
    attempt,
    idempotency_key,
    result,
    repeats,
  };
}

const refused = (code: string, message: string): ToolCallResponse => ({
  ok: false,
  effect: 'not_started',
  error: { code, message },
});

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // A request without an encoding gives buffers.
    size += (chunk as Buffer).byteLength;
    if (size > MAX_BODY_BYTES) throw new HttpError(413, 'fleet.too_large', 'The body is larger than a mebibyte.');
    // As above.
    chunks.push(chunk as Buffer);
  }
  return parseStrictJson(Buffer.concat(chunks).toString('utf8'));
}

function problemOf(error: unknown): { status: number; body: unknown } {
  if (error instanceof HttpError) return { status: error.status, body: { code: error.code, detail: error.message } };
  if (error instanceof GrantError) return { status: 403, body: { code: error.code, detail: error.message } };
  if (error instanceof z.ZodError)
    return { status: 422, body: { code: 'fleet.bad_request', detail: z.prettifyError(error) } };
  if (error instanceof Error && error.name === 'StrictJsonError') {
    return { status: 400, body: { code: 'fleet.bad_json', detail: error.message } };
  }
  return { status: 500, body: { code: 'fleet.broken', detail: 'The fleet failed; see its log.' } };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}
