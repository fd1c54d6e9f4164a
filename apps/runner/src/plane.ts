import { z } from 'zod';
import {
  enrolledRunnerSchema,
  greetedRunnerSchema,
  runnerCallSchema,
  runnerKeySchema,
  type RunnerCallView,
} from '#lib/api-schemas';
import type { Json } from '#lib/canonical';
import { AnswerTooLong, boundedAnswer } from '#lib/client';
import {
  RUNNER_PROOF_HEADER,
  type AdvertisedMcpServer,
  type AdvertisedTool,
  type ToolCallResponse,
} from '#lib/formats';
import type { RunnerIdentity } from './runner-key.js';
import { signProof } from './sign-proof.js';

/** How long an answer is awaited beyond the time that the request itself asks Countersign to wait. */
const ANSWER_WITHIN_MS = 20_000;
const WAIT_SECONDS = 25;

const problemSchema = z.object({ code: z.string(), detail: z.string().optional(), action: z.string().optional() });

interface PlaneErrorOptions extends ErrorOptions {
  /** Countersign's words for the operator of the runner. */
  readonly action?: string | undefined;
}

/** A refusal by Countersign, or `runner.unreachable` if there was no answer that could be read. */
export class PlaneError extends Error {
  readonly action: string | undefined;

  constructor(
    readonly code: string,
    message: string,
    /** False if the same request can't succeed later. */
    readonly again: boolean,
    options: PlaneErrorOptions = {},
  ) {
    super(message, options);
    this.action = options.action;
    this.name = 'PlaneError';
  }
}

export type OfferedCall = NonNullable<RunnerCallView['call']>;

/** Text that a call wrote. */
export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** The words of a runner about itself. */
export interface Introduction {
  readonly version: string;
  readonly tools: readonly AdvertisedTool[];
  /** The environments that it verifies grants of. */
  readonly worksIn: readonly string[];
  /** The names of the programs for lifecycle hooks. */
  readonly hooks: readonly string[];
  /** The MCP servers that its operator lists. */
  readonly mcpServers: readonly AdvertisedMcpServer[];
  /** The reason why it takes no snapshot of its whole workspace; null if it does. */
  readonly noWayBack: string | null;
  /** The sessions that it keeps a folder for, at most 64. */
  readonly sessions: readonly string[];
}

/** The answer to an introduction. */
export interface Greeting {
  /** The environments that this runner was added for. */
  readonly environments: readonly string[];
  /** Those of its sessions that have ended. */
  readonly endedSessions: readonly string[];
}

/** Countersign, as a runner reaches it: outwards only, and each request with a proof of its own. */
export class Plane {
  constructor(
    private readonly url: string,
    private identity: RunnerIdentity | null = null,
    private readonly now: () => number = Date.now,
  ) {}

  /** The identity that signs from now on. */
  use(identity: RunnerIdentity): void {
    this.identity = identity;
  }

  async enrol(token: string, publicKey: string, version: string): Promise<z.infer<typeof enrolledRunnerSchema>> {
    const body = { token, public_key: publicKey, version };
    return enrolledRunnerSchema.parse(await this.#send('/v1/runner/enrol', body, { proven: false }));
  }

  async hello({ version, tools, worksIn, hooks, mcpServers, noWayBack, sessions }: Introduction): Promise<Greeting> {
    const body = {
      version,
      tools,
      works_in: [...worksIn],
      hooks: [...hooks],
      mcp_servers: mcpServers,
      no_way_back: noWayBack,
      sessions: [...sessions],
    };
    const { environments, ended_sessions: endedSessions } = greetedRunnerSchema.parse(
      await this.#send('/v1/runner/hello', body),
    );
    return { environments, endedSessions };
  }

  /** Tells that this runner ends. */
  async goodbye(signal: AbortSignal): Promise<void> {
    await this.#send('/v1/runner/goodbye', {}, { signal });
  }

  /** @returns the id of the new key. */
  async rotate(publicKey: string): Promise<string> {
    return runnerKeySchema.parse(await this.#send('/v1/runner/keys', { public_key: publicKey })).key_id;
  }

  /** Waits up to 25 seconds. @param held the calls that it holds. */
  async take(held: readonly string[], signal: AbortSignal): Promise<OfferedCall | null> {
    const answer = await this.#send(
      `/v1/runner/dispatches/take?wait_seconds=${String(WAIT_SECONDS)}`,
      { held: [...held] },
      { signal, waitMs: WAIT_SECONDS * 1_000 },
    );
    return runnerCallSchema.parse(answer).call;
  }

  async output(id: string, firstSeq: number, chunks: readonly OutputChunk[]): Promise<void> {
    const body = { first_seq: firstSeq, chunks: chunks.map(({ stream, text }) => ({ stream, text })) };
    await this.#send(`/v1/runner/dispatches/${id}/output`, body);
  }

  async result(id: string, answer: ToolCallResponse): Promise<void> {
    await this.#send(`/v1/runner/dispatches/${id}/result`, { answer });
  }

  async #send(
    path: string,
    body: Json,
    { signal, waitMs = 0, proven = true }: { signal?: AbortSignal; waitMs?: number; proven?: boolean } = {},
  ): Promise<unknown> {
    const limit = AbortSignal.timeout(waitMs + ANSWER_WITHIN_MS);
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
    const signedBy = this.identity;
    if (proven) {
      if (signedBy === null) throw new Error('a runner that is not enrolled has no proof');
      const request = { audience: this.url, method: 'POST', path, body } as const;
      headers[RUNNER_PROOF_HEADER] = await signProof(signedBy, request, this.now());
    }
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(`${this.url}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        redirect: 'error',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      text = await boundedAnswer(answer).text();
    } catch (cause) {
      const why =
        cause instanceof AnswerTooLong ? `gives no answer that can be read: ${cause.message}` : 'cannot be reached.';
      throw new PlaneError('runner.unreachable', `Countersign at ${this.url} ${why}`, true, { cause });
    }
    if (answer.ok) return text === '' ? null : (JSON.parse(text) as unknown);
    const refusal = refusalOf(answer.status, text);
    // A request under way was signed with the key that another one replaced meanwhile.
    if (signedBy !== this.identity) throw new PlaneError('runner.key_replaced', refusal.message, true);
    throw refusal;
  }
}

/**
 * 408 and 429 pass, as do the errors of a server. A proof is refused for its age if a clock was set meanwhile. An answer without
 * a problem comes from something between, such as a proxy under maintenance. It says nothing about the request.
 */
function refusalOf(status: number, text: string): PlaneError {
  const problem = problemSchema.safeParse(jsonOf(text));
  if (!problem.success) {
    return new PlaneError('runner.unreachable', `The answer with status ${String(status)} is not Countersign's.`, true);
  }
  const { code, detail = code, action } = problem.data;
  const passes = status >= 500 || status === 408 || status === 429 || code === 'runner.proof_expired';
  return new PlaneError(code, detail, passes, { action });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
