import { randomUUID } from 'node:crypto';
import { canonicalJson, type JsonObject } from '#lib/canonical';
import { digestOf } from '#lib/kernel';
import { CountersignError } from '#lib/sdk';
import { CommandError } from '../exit-codes.js';
import type { Io } from '../io.js';
import type { ApiAccess } from '../command-context.js';
import {
  askCountersign,
  AnswerMalformed,
  askAgain,
  clientUntil,
  CutOff,
  RefusedToTheEnd,
  reportNotStarted,
  withdraw,
  type SessionChoice,
} from './ask-countersign.js';
import { DeadlinePassed, type Deadline } from './deadline.js';
import { readHookSettings, realPath, shellOf, type HookSettings } from './hook-settings.js';
import type { HookRefusal } from './hook-refusal.js';
import type { HookAnswer, HookEvent, HookHost } from './host.js';
import type { HostCall } from './host-call.js';
import { keepSession, takeSession } from './kept-session.js';
import { folderOfCalls, keepCall, takeCall, type CallNames } from './kept-calls.js';
import { mapCall, type MappedCall, type Mapping } from './tool-rules.js';
import { verdictOf } from './verdict.js';

/** The options of the command line; they replace the same members of the settings file. */
export interface HookOptions {
  readonly environment?: string;
  readonly session?: string;
  readonly settings?: string;
  /** Seconds. */
  readonly wait: number;
}

export interface HookWorld {
  readonly host: HookHost;
  readonly options: HookOptions;
  readonly io: Io;
  /** @throws {CommandError} if there is no credential, or no address. */
  readonly access: () => ApiAccess;
  /** The end of the question, and the end of everything: a call without an answer is taken back in between. */
  readonly deadlines: { readonly asking: Deadline; readonly all: Deadline };
  /** Aborted once the host stops its hook: it makes the call no more. */
  readonly stopped: AbortSignal;
}

type Asks = Extract<HookEvent, { kind: 'asks' }>;

/** Asks Countersign about a call. Anything but an allow that was read and checked is a denial. */
export async function answerHook(event: Asks, world: HookWorld): Promise<HookAnswer> {
  const { deadlines, options } = world;
  try {
    return await deadlines.all.within(asked(event, world));
  } catch (error) {
    if (error instanceof RefusedToTheEnd) return denial(refusalOf(error.refusal), null);
    const late = deadlines.asking.signal.aborted || error instanceof DeadlinePassed;
    return denial(late ? noAnswer(options.wait) : refusalOf(error), null);
  }
}

/** Reports how a call ended that Countersign awaits the outcome of; does nothing about any other. */
export async function reportOutcome(
  { call, outcome }: Extract<HookEvent, { kind: 'tells' }>,
  world: HookWorld,
): Promise<void> {
  const settings = await readHookSettings(world.options.settings, world.io);
  const mapping = mapped(call, settings, world);
  if ('leave' in mapping) return;
  const kept = await takeCall(folderOfCalls(world.io.environment), namesOf(call, mapping, world));
  if (kept === null) return;
  const { id, arguments_digest } = kept;
  const client = clientUntil(world.deadlines.all, world.access());
  await client.post('/v1/tool-calls/{id}/result', { path: { id }, body: { jti: id, arguments_digest, ...outcome } });
}

/** Ends the session of a host's session that has ended: an agent has a limited number open. */
export async function endSession(
  { hostSession }: Extract<HookEvent, { kind: 'ends' }>,
  world: HookWorld,
): Promise<void> {
  const { host, io, deadlines } = world;
  const id = await takeSession(folderOfCalls(io.environment), { host: host.name, hostSession });
  if (id === null) return;
  const client = clientUntil(deadlines.all, world.access());
  await client.post('/v1/sessions/{id}/end', { path: { id }, body: {} }).catch((error: unknown) => {
    if (!(error instanceof CountersignError && error.code === 'session.ended')) throw error;
  });
}

async function asked({ call }: Asks, world: HookWorld): Promise<HookAnswer> {
  const { host, io, options, deadlines } = world;
  const settings = await readHookSettings(options.settings, io);
  const mapping = mapped(call, settings, world);
  if ('leave' in mapping) return { verdict: 'undecided' };
  if ('refusal' in mapping) return denial(mapping.refusal, null);

  const session = sessionOf(host, call.hostSession, { ...settings, ...given(options) });
  if ('code' in session) return denial(session, null);
  // A host sends its hook JSON.
  const argumentsDigest = digestOf('arguments', mapping.call.arguments as JsonObject);
  const access = world.access();
  const question = { session, call: mapping.call, clientCallId: call.id ?? randomUUID(), turn: call.turn };
  const asking = clientUntil(deadlines.asking, access);
  const answer = await askCountersign(asking, question, deadlines.asking).catch((error: unknown) => {
    // If the hook never learned the id of the call, people would answer for no agent.
    if (error instanceof CutOff) return askAgain(clientUntil(deadlines.all, access), question, error.session);
    throw error;
  });
  const page = new URL(`/sessions/${answer.session}`, access.baseUrl).href;
  if (!('id' in session)) await keepSession(folderOfCalls(io.environment), session, answer.session);
  const late = answer.call.outcome === 'pending';
  const final = late ? await withdraw(clientUntil(deadlines.all, access), answer.call) : answer.call;
  if (final === null || final.outcome === 'pending') return denial(notTakenBack(options.wait), page);
  if (late && final.decided_as === 'cancelled') return denial(nobodyAnswered(options.wait), page);
  const verdict = verdictOf(final, { argumentsDigest, shell: settings.shell ?? shellOf(io.environment) });
  if (!verdict.allow) return denial(verdict.refusal, page);
  if (world.stopped.aborted) {
    if (verdict.reported) await reportNotStarted(clientUntil(deadlines.all, access), answer.call.id, argumentsDigest);
    return denial(stoppedByHost, page);
  }
  // A person takes a while, and symbolic links may lead elsewhere meanwhile.
  const now = mapped(call, settings, world);
  if (!('call' in now) || canonicalJson(documentOf(now.call)) !== canonicalJson(documentOf(mapping.call))) {
    if (verdict.reported) await reportNotStarted(clientUntil(deadlines.all, access), answer.call.id, argumentsDigest);
    return denial(changedMeanwhile, page);
  }
  if (verdict.reported) {
    const kept = { id: answer.call.id, arguments_digest: argumentsDigest };
    const folder = folderOfCalls(io.environment);
    await keepCall(folder, namesOf(call, mapping, world), kept).catch((error: unknown) => {
      io.err(`The outcome of this call will not be reported: ${String(error)}\n`);
    });
  }
  return { verdict: 'allow', message: verdict.message };
}

function mapped(call: HostCall, settings: HookSettings, { host, io }: HookWorld): Mapping {
  const workspace = realPath(settings.workspace ?? io.environment.CLAUDE_PROJECT_DIR ?? call.directory);
  return mapCall(call, { ...host.rules, ...settings.tools }, workspace, realPath);
}

const namesOf = ({ hostSession, id }: HostCall, mapping: Mapping, { host }: HookWorld): CallNames => ({
  host: host.name,
  hostSession,
  id,
  content: 'call' in mapping ? documentOf(mapping.call) : null,
});

const given = ({ environment, session }: HookOptions): Partial<HookSettings> => ({
  ...(environment === undefined ? {} : { environment }),
  ...(session === undefined ? {} : { session }),
});

function sessionOf(
  { name }: HookHost,
  hostSession: string,
  { session, environment }: HookSettings,
): SessionChoice | HookRefusal {
  if (session !== undefined) return { id: session };
  if (environment !== undefined) return { host: name, hostSession, body: { environment } };
  return {
    code: 'hook.no_environment',
    message:
      'The hook does not know the environment of its calls. Give it --environment, or name it in its settings file.',
  };
}

function denial({ code, message }: HookRefusal, page: string | null): HookAnswer {
  const where = page === null ? '' : ` People see the calls of this session at ${page}`;
  return {
    verdict: 'deny',
    message: `Countersign denied this call: ${message.replace(/\.$/, '')} (${code}). Do not look for another way to the same effect: tell the person that you work for.${where}`,
  };
}

// A host sends its hook JSON.
const documentOf = ({ tool, arguments: args }: MappedCall): JsonObject => ({ tool, arguments: args as JsonObject });

const changedMeanwhile: HookRefusal = {
  code: 'hook.changed_meanwhile',
  message: 'A path of this call leads to another file than the one that was asked about. Ask for it anew.',
};

const stoppedByHost: HookRefusal = {
  code: 'hook.stopped',
  message: 'The program that asks was stopped, so that the call is not made.',
};

const noAnswer = (seconds: number): HookRefusal => ({
  code: 'hook.no_answer',
  message: `It did not answer within ${String(seconds)} seconds, so nothing is allowed.`,
});

const nobodyAnswered = (seconds: number): HookRefusal => ({
  code: 'hook.nobody_answered',
  message: `It waited for a person, and nobody answered within ${String(seconds)} seconds. The call was taken back: it can be made again when somebody is there to answer.`,
});

const notTakenBack = (seconds: number): HookRefusal => ({
  code: 'hook.not_taken_back',
  message: `It waited for a person, and nobody answered within ${String(seconds)} seconds. The call could not be taken back, so that people may still see it. This program does not make it even if they approve it.`,
});

function refusalOf(error: unknown): HookRefusal {
  if (error instanceof CountersignError) return { code: error.code, message: error.message };
  if (error instanceof CommandError) return { code: error.code, message: `${error.message} ${error.action}` };
  if (error instanceof AnswerMalformed || error instanceof SyntaxError)
    return {
      code: 'hook.answer_malformed',
      message: 'Its answer is not one of Countersign. See that the address is right.',
    };
  return {
    code: 'hook.failed',
    message: `The hook failed: ${error instanceof Error ? error.message : String(error)}.`,
  };
}
