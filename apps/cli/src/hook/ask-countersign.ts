import { createHash } from 'node:crypto';
import { sessionSchema, toolCallSchema, type ToolCallView } from '#lib/api-schemas';
import { canonicalJson } from '#lib/canonical';
import { isPassing, pauseMs } from '#lib/client';
import { CountersignClient, CountersignError } from '#lib/sdk';
import type { ApiAccess } from '../command-context.js';
import type { Deadline } from './deadline.js';
import type { MappedCall } from './tool-rules.js';

/** The session of the calls: a named one, or the one of the host's session, which is opened once. */
export type SessionChoice =
  | { readonly id: string }
  | { readonly host: string; readonly hostSession: string; readonly body: OpenSession };
interface OpenSession {
  readonly environment: string;
}

export interface Question {
  readonly session: SessionChoice;
  readonly call: MappedCall;
  readonly clientCallId: string;
  readonly turn: string | null;
}

/** The answer, and the session that the call was asked in. */
export interface Answered {
  readonly session: string;
  /** `pending` if no answer came in time. */
  readonly call: ToolCallView;
}

/** The answer is not in the form that the API describes. */
export class AnswerMalformed extends Error {}

/** The deadline passed while the call was submitted, so the hook does not know its id. */
export class CutOff extends Error {
  constructor(readonly session: string) {
    super('the time was over before the call had an answer');
  }
}

/** How long one answer is held, in seconds. */
const HOLD_SECONDS = 20;
/** Time to send a request that Countersign holds, and to get its answer. */
const ROUND_TRIP_MS = 1_000;
const MAX_PAUSE_MS = 5_000;
/** How often a request is sent to a server that is not there. */
const TRIES = 3;
/** Sessions of one host session that have ended; after them the hook gives up. */
const MAX_SESSIONS = 20;

/** A client that sends each request once. All its requests end at the deadline. */
export const clientUntil = (deadline: Deadline, access: ApiAccess): CountersignClient =>
  new CountersignClient({
    ...access,
    attempts: 1,
    fetch: (url, { signal, ...init } = {}) =>
      fetch(url, { ...init, signal: AbortSignal.any([deadline.signal, ...(signal == null ? [] : [signal])]) }),
  });

/**
 * Asks about one call, and waits for people until the deadline.
 *
 * @throws {CountersignError} if Countersign refuses, or cannot be reached
 * @throws {AnswerMalformed}
 * @throws {RefusedToTheEnd}
 * @throws {CutOff} while the call is submitted
 * @throws {DeadlinePassed} before it is
 */
export async function askCountersign(
  client: CountersignClient,
  question: Question,
  deadline: Deadline,
): Promise<Answered> {
  const { session } = question;
  const body = bodyOf(question);
  let ended: string | null = null;
  for (let number = 0; number < MAX_SESSIONS; number += 1) {
    const id: string = 'id' in session ? session.id : await openSession(client, session, ended, deadline);
    try {
      const submit = () => client.post('/v1/sessions/{id}/tool-calls', { path: { id }, body, query: held(deadline) });
      const answer = callFrom(await patiently(submit, deadline, TRIES));
      return { session: id, call: await untilAnswered(client, answer, deadline) };
    } catch (error) {
      if (deadline.signal.aborted && !(error instanceof RefusedToTheEnd)) throw new CutOff(id);
      if ('id' in session || !(error instanceof CountersignError) || error.code !== 'session.ended') throw error;
      ended = id;
    }
  }
  throw new AnswerMalformed('each session of this host session has ended');
}

/** Countersign refused the same request again and again until the deadline, such as for too many calls in flight. */
export class RefusedToTheEnd extends Error {
  constructor(readonly refusal: CountersignError) {
    super(refusal.message);
  }
}

/**
 * Takes a call back that no answer came for in time.
 *
 * @returns the call as it is now: an answer may have come first. Null if Countersign cannot say.
 */
export async function withdraw(client: CountersignClient, { id }: ToolCallView): Promise<ToolCallView | null> {
  const cancel = () => client.post('/v1/tool-calls/{id}/cancel', { path: { id } });
  const read = () => client.get('/v1/tool-calls/{id}', { path: { id } });
  return cancel()
    .catch(read)
    .then(callFrom)
    .catch(() => null);
}

/** Reports that an allowed call is not made, so that it is no longer in flight. */
export async function reportNotStarted(client: CountersignClient, id: string, digest: string): Promise<void> {
  const error = { code: 'hook.not_started', message: 'The hook denied the call after its answer.' };
  const body = { jti: id, arguments_digest: digest, outcome: 'failed', effect: 'not_started', error } as const;
  // Without it the call counts as in flight until its time is over.
  await client.post('/v1/tool-calls/{id}/result', { path: { id }, body }).catch(() => undefined);
}

/**
 * The answer to a call as it stands, after the one to its submission was cut off. Asked under the same name, it is the same call.
 *
 * @throws as {@link askCountersign}
 */
export async function askAgain(client: CountersignClient, question: Question, session: string): Promise<Answered> {
  const [path, query] = [{ id: session }, { wait_seconds: 0 }];
  const answer = await client.post('/v1/sessions/{id}/tool-calls', { path, body: bodyOf(question), query });
  return { session, call: callFrom(answer) };
}

const bodyOf = ({ call, clientCallId, turn }: Question) => ({
  tool: call.tool,
  // The generated type of arguments has no members.
  arguments: call.arguments as Record<string, never>,
  client_call_id: clientCallId,
  ...(turn === null ? {} : { turn_id: turn }),
  ...(call.reason === null ? {} : { reason: call.reason }),
});

async function untilAnswered(
  client: CountersignClient,
  first: ToolCallView,
  deadline: Deadline,
): Promise<ToolCallView> {
  let answer = first;
  // A broken connection ends no wait: people may answer once Countersign is back.
  while (answer.outcome === 'pending' && deadline.left() > ROUND_TRIP_MS) {
    const read = () => client.get('/v1/tool-calls/{id}', { path: { id: first.id }, query: held(deadline) });
    try {
      answer = callFrom(await patiently(read, deadline, Infinity));
    } catch (error) {
      if (deadline.signal.aborted) break;
      throw error;
    }
  }
  return answer;
}

/**
 * The idempotency key is made of the host's session. So each hook of it finds the same session, after a restart too. A session
 * that has ended has a successor.
 */
async function openSession(
  client: CountersignClient,
  { host, hostSession, body }: Exclude<SessionChoice, { id: string }>,
  ended: string | null,
  deadline: Deadline,
): Promise<string> {
  const name = canonicalJson({ host, hostSession, body: { ...body }, ended });
  const idempotencyKey = `hook-${createHash('sha256').update(name).digest('hex')}`;
  const open = () => client.answer('POST', '/v1/sessions', { body, idempotencyKey });
  const { text } = await patiently(open, deadline, TRIES);
  const opened = sessionSchema.safeParse(parsed(text));
  if (!opened.success) throw new AnswerMalformed('the answer is no session');
  return opened.data.id;
}

const held = (deadline: Deadline): { readonly wait_seconds: number } => ({
  wait_seconds: Math.max(0, Math.min(HOLD_SECONDS, Math.floor((deadline.left() - ROUND_TRIP_MS) / 1_000))),
});

function callFrom(document: unknown): ToolCallView {
  const { data } = toolCallSchema.safeParse(document);
  if (data === undefined) throw new AnswerMalformed('the answer is no tool call');
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Sends a request again while the refusal is a passing one, until the deadline.
 *
 * @throws {RefusedToTheEnd}
 */
async function patiently<T>(send: () => Promise<T>, deadline: Deadline, tries: number): Promise<T> {
  let refusal: CountersignError | null = null;
  for (let sent = 1; ; sent += 1) {
    try {
      return await deadline.within(send());
    } catch (error) {
      if (deadline.signal.aborted && refusal !== null) throw new RefusedToTheEnd(refusal);
      if (!(error instanceof CountersignError)) throw error;
      const pause = pauseBefore(sent, error);
      // Calls in flight make room by and by.
      if (pause === null || (sent >= tries && error.status !== 429)) throw error;
      if (error.status === 429) refusal = error;
      await deadline.pause(pause).catch((late: unknown) => {
        throw refusal === null ? late : new RefusedToTheEnd(refusal);
      });
    }
  }
}

/** Milliseconds before the same request may succeed; null if it will not. */
function pauseBefore(sent: number, { problem }: CountersignError): number | null {
  const told = problem.retry_after_seconds;
  const tooLong = typeof told === 'number' && told * 1_000 > MAX_PAUSE_MS;
  return isPassing(problem) && !tooLong ? Math.min(pauseMs(sent, told), MAX_PAUSE_MS) : null;
}
