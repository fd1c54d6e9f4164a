import type { JsonObject } from '#lib/canonical';
import { digestOf, type FieldError, type ToolCallId } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type { ToolCallFacts } from '../domain/tool-call.js';
import type { MissingFact, UnjudgedCall } from '../domain/unjudged-call.js';
import type { CallFacts } from './call-facts.port.js';

/** A call that lacks a fact, with the answer to it. */
export interface Unjudged {
  readonly id: ToolCallId;
  readonly question: Pick<ToolCallFacts, 'sessionId' | 'clientCallId' | 'turnId'> & {
    readonly tool: string;
    readonly environment: string;
    readonly arguments: JsonObject;
  };
  readonly facts: Pick<CallFacts, 'now' | 'tool'>;
  readonly missing: MissingFact | null;
  readonly errors: readonly FieldError[];
}

/** The row of a call that was not put to the policies. */
export function unjudgedCall(
  submitter: Submitter,
  { id, question, facts, missing, errors }: Unjudged,
  bundleRevision: string,
): UnjudgedCall {
  if (missing === null) throw new Error(`the tool call ${id} was neither put to the policies nor lacks a fact`);
  const { sessionId, clientCallId, turnId } = question;
  return {
    ...{ id, sessionId, submitter, clientCallId, turnId, askedAt: facts.now },
    tool: { name: question.tool, version: facts.tool?.version ?? null },
    environment: { name: question.environment },
    argumentsDigest: digestOf('arguments', question.arguments),
    ...{ code: missing, errors, bundleRevision },
  };
}
