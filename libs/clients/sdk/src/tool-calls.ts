import { randomUUID } from 'node:crypto';
import { ownMember } from '#lib/canonical';
import type { GrantClaims, ToolCallRequest } from '#lib/formats';
import type { BodyOf, components } from '#lib/client';
import { checkLine } from './check-line.js';
import type { CountersignClient } from './client.js';
import type { GrantVerifier } from './grant-verifier.js';

type ToolCall = components['schemas']['ToolCall'];

/** The outcome of a tool of the agent's own. A tool that throws has an unknown effect. */
export type OwnOutcome =
  | { readonly outcome: 'succeeded'; readonly result: unknown }
  | {
      readonly outcome: 'failed';
      /** `not_started` promises that nothing was changed. */
      readonly effect: 'not_started' | 'done';
      readonly error: { readonly code: string; readonly message: string };
    };

/** The tools that an agent executes by itself, for executors of kind `agent`. */
export interface OwnTools {
  /** Checks the grant of each call and uses it up, before the tool is called. */
  readonly verify: GrantVerifier;
  /**
   * The command line that a tool executes for these arguments. Null for a tool that executes none. If it is left out, no tool executes one. It is
   * checked against the grant (`checkLine`).
   */
  readonly lineOf?: (tool: string, args: Readonly<Record<string, unknown>>) => string | null;
  /** By the names of the registry. */
  readonly tools: Readonly<
    Record<string, (args: Readonly<Record<string, unknown>>, claims: GrantClaims) => Promise<OwnOutcome>>
  >;
}

/** The question, as `POST /v1/tool-calls` takes it. A session has an environment of its own. */
export type ToolCallToMake = Omit<BodyOf<'post', '/v1/tool-calls'>, 'environment'> & { readonly environment?: string };

/** The task and environment of a call. */
export interface ToolCallOptions {
  /** The session of the call; without it the call names its environment. */
  readonly session?: string;
  readonly own?: OwnTools;
  /** Ends the wait, and leaves the call as it is. */
  readonly signal?: AbortSignal;
}

/** How long one answer is held, in seconds. It is below the time limit of a request. */
const HOLD_SECONDS = 20;

/**
 * Makes one tool call: asks for it, and waits for people and for its outcome. If the agent is its executor, executes it
 * under the verified grant. Resolves to the call as it ended: denied, succeeded, failed, unknown or expired.
 *
 * A call of an agent's executor resolves as `executing`, with its grant, if `own` is not there. A call without an executor stays
 * `allowed`. Rejects with a CountersignError if Countersign refuses a request, and with a GrantError if the grant does not fit the
 * call: then nothing was executed, and the report says so.
 */
export async function makeToolCall(
  client: CountersignClient,
  call: ToolCallToMake,
  { session, own, signal }: ToolCallOptions = {},
): Promise<ToolCall> {
  const query = { wait_seconds: HOLD_SECONDS };
  const { environment = '', ...rest } = call;
  // A request may be sent again after a broken connection: its name keeps it one call.
  const body = { ...rest, client_call_id: rest.client_call_id ?? randomUUID() };
  let answer: ToolCall =
    session === undefined
      ? await client.post('/v1/tool-calls', { body: { ...body, environment }, query })
      : await client.post('/v1/sessions/{id}/tool-calls', { path: { id: session }, body, query });
  while (isOpen(answer) && signal?.aborted !== true)
    answer = await client.get('/v1/tool-calls/{id}', { path: { id: answer.id }, query });
  const { grant } = answer;
  return grant === undefined || own === undefined ? answer : executeOwn(client, call, { ...answer, grant }, own);
}

/** Whether the next answer comes without the agent. */
const isOpen = ({ outcome, answered_by: by }: ToolCall): boolean =>
  outcome === 'pending' || (by === 'executor' && (outcome === 'executing' || outcome === 'allowed'));

async function executeOwn(
  client: CountersignClient,
  { tool, arguments: args }: ToolCallToMake,
  answer: ToolCall & { readonly grant: string },
  own: OwnTools,
): Promise<ToolCall> {
  const { id, arguments_digest: digest, tool_version: version } = answer;
  const report = (outcome: OwnOutcome | Unknown): Promise<ToolCall> =>
    client.post('/v1/tool-calls/{id}/result', {
      path: { id },
      // The spread of a union is no union to the compiler.
      body: { jti: id, arguments_digest: digest ?? '', ...outcome } as BodyOf<'post', '/v1/tool-calls/{id}/result'>,
    });
  const execute = ownMember(own.tools, tool);
  if (execute === undefined) return report(notStarted('agent.no_such_tool', `This agent has no tool ${tool}.`));
  const request: ToolCallRequest = {
    tool,
    tool_version: version ?? 0,
    // Arguments that JSON lacks fail when they are sent.
    arguments: args as ToolCallRequest['arguments'],
    secrets: {},
    idempotency_key: id,
  };
  let claims: GrantClaims;
  try {
    claims = await own.verify(answer.grant, request);
    checkLine(claims, own.lineOf?.(tool, args) ?? null);
  } catch (error) {
    await report(notStarted('agent.grant_refused', messageOf(error)));
    throw error;
  }
  return report(await outcomeOf(() => execute(args, claims)));
}

interface Unknown {
  readonly outcome: 'unknown';
  readonly error: { readonly code: string; readonly message: string };
}

const outcomeOf = (work: () => Promise<OwnOutcome>): Promise<OwnOutcome | Unknown> =>
  work().catch((error: unknown) => ({
    outcome: 'unknown',
    error: { code: 'agent.tool_threw', message: messageOf(error) },
  }));

const notStarted = (code: string, message: string): OwnOutcome => ({
  outcome: 'failed',
  effect: 'not_started',
  error: { code, message },
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 2_000);
