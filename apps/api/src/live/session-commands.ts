import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  sessionCommandSchema,
  SESSION_SOCKET_VERSIONS,
  type SessionCommand,
  type SessionMessage,
} from '#lib/api-schemas';
import { parseStrictJson, type Json } from '#lib/canonical';
import { FailureError, notFound, type Failure, type Principal, type SessionId, type ToolCallId } from '#lib/kernel';
import { boundDigest, ReadRequests, SubmitReview } from '#lib/approval';
import { ChangeSessionAutonomy, EndSession } from '#lib/session';
import { GetToolCall } from '#lib/tool-call';
import { MessageAccess, refuseInJson, unwrap } from '../http/index.js';
import { errorMessage } from './session-messages.js';

type Answer = Extract<SessionCommand, { type: 'approve' | 'reject' | 'always' }>;

/** Levels of nesting that a message may have. */
const DEEPEST = 8;

/** Carries out what a client of a session asks for, each with the client's credential as it stands now. */
@Injectable()
export class SessionCommands {
  constructor(
    private readonly access: MessageAccess,
    private readonly changing: ChangeSessionAutonomy,
    private readonly ending: EndSession,
    private readonly calls: GetToolCall,
    private readonly requests: ReadRequests,
    private readonly reviewing: SubmitReview,
  ) {}

  /**
   * @param request the one that opened the socket.
   * @returns the error to send back. Null if it is done, which the client hears of by the entry that it wrote.
   */
  async execute(request: FastifyRequest, sessionId: SessionId, text: string): Promise<SessionMessage | null> {
    const command = commandOf(sessionId, text);
    if ('error' in command) return command.error;
    try {
      await this.#carryOut(request, sessionId, command.value);
      return null;
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const { failure } = error;
      const passing = failure.kind === 'rate_limited' || failure.kind === 'unavailable';
      const about = 'toolCallId' in command.value ? { toolCallId: command.value.toolCallId } : {};
      return errorMessage(sessionId, passing ? 'UNAVAILABLE' : 'REFUSED', failure, about);
    }
  }

  async #carryOut(request: FastifyRequest, sessionId: SessionId, command: SessionCommand): Promise<void> {
    if (command.type !== 'set_autonomy' && command.type !== 'cancel') {
      await this.#answer(await this.access.callerFor(request, 'review'), sessionId, command);
      return;
    }
    const by = await this.access.callerFor(request, 'run');
    if (command.type === 'cancel') {
      unwrap(await this.ending.execute(by, sessionId, 'cancel'));
      return;
    }
    const { v: _v, type: _type, sessionId: _session, ...change } = command;
    unwrap(await this.changing.execute(by, sessionId, change));
  }

  /** A review like any other, so that roles, factors and exclusions hold. The call never changes, so its digest is the one that was seen. */
  async #answer(by: Principal, sessionId: SessionId, { toolCallId, ...answer }: Answer): Promise<void> {
    // The schema of the command has checked the form of the id.
    const call = unwrap(await this.calls.execute(by, toolCallId as ToolCallId));
    if (call.sessionId !== sessionId) throw new FailureError(notFound('tool call'));
    if (call.requestId === null) throw new FailureError(notAsked);
    const { request } = unwrap(await this.requests.overview(by, call.requestId));
    const given = {
      verdict: answer.type === 'reject' ? ('reject' as const) : ('approve' as const),
      always: answer.type === 'always' || answer.decision === 'always',
      comment: answer.comment,
      subject_digest: boundDigest(request.binding),
      confirm_word: answer.confirmWord,
      step_up_id: answer.stepUpId,
    };
    unwrap(await this.reviewing.execute(by, request.id, given));
  }
}

/** The command that a text is, or the message that says why it is none. */
function commandOf(
  sessionId: SessionId,
  text: string,
): { readonly value: SessionCommand } | { readonly error: SessionMessage } {
  let value: Json;
  try {
    value = parseStrictJson(text, DEEPEST);
    refuseInJson(value);
  } catch (error) {
    const failure = error instanceof FailureError ? error.failure : notJson;
    return { error: errorMessage(sessionId, 'INVALID_MESSAGE', failure) };
  }
  const version = typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;
  if (!SESSION_SOCKET_VERSIONS.some((known) => known === version))
    return {
      error: errorMessage(sessionId, 'PROTOCOL_MISMATCH', otherVersion, { supported: [...SESSION_SOCKET_VERSIONS] }),
    };
  const parsed = sessionCommandSchema.safeParse(value);
  if (!parsed.success) return { error: errorMessage(sessionId, 'INVALID_MESSAGE', unknownMessage) };
  if (parsed.data.sessionId !== sessionId) return { error: errorMessage(sessionId, 'INVALID_MESSAGE', otherSession) };
  return { value: parsed.data };
}

const notAsked: Failure = {
  kind: 'conflict',
  code: 'tool_call.not_pending',
  message: 'Nobody is asked about this call: policy decided it.',
  action: 'Read the entry of its decision.',
};

const notJson: Failure = {
  kind: 'invalid',
  code: 'session.message_malformed',
  message: 'The message is not JSON.',
  action: 'Send one JSON object a message.',
};

const otherVersion: Failure = {
  kind: 'invalid',
  code: 'session.version_unsupported',
  message: 'The server does not speak this version of the messages.',
  action: 'Send "v" with one of the versions in `supported`.',
};

const unknownMessage: Failure = {
  kind: 'invalid',
  code: 'session.message_invalid',
  message: 'The server does not know this message, or a member of it is wrong.',
  action: 'Compare its type and members with docs/sessions.md.',
};

const otherSession: Failure = {
  kind: 'invalid',
  code: 'session.other_session',
  message: 'The message names another session than the address of this socket.',
  action: 'Open a socket for each session.',
};
