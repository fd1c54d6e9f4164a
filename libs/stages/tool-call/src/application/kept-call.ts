import { kindNamed, type ExecutorKinds } from '#lib/dispatch';
import type { Digest, EnvironmentId, ToolCallId } from '#lib/kernel';
import type { RecordedDecision } from '#lib/policy';
import type { Session } from '#lib/session';
import type { PathVerdict } from '#lib/shell-safety';
import { environmentDigest, type EnvironmentRecord, type Submitter } from '#lib/task';
import { changesUnder, riskOfLine, targetsOf } from '#lib/tool';
import type { CallLine } from '../domain/call-line.js';
import type { ToolCallFacts } from '../domain/tool-call.js';
import type { CallFacts } from './call-facts.port.js';

/** A call that was judged, with all that it was judged by. */
export interface JudgedForKeeping {
  readonly id: ToolCallId;
  readonly question: Pick<ToolCallFacts, 'arguments' | 'clientCallId' | 'turnId' | 'reason'> & {
    readonly session: Session | null;
  };
  readonly facts: Pick<CallFacts, 'now' | 'tool' | 'executor' | 'environment'>;
  readonly decided: RecordedDecision | null;
  readonly argumentsDigest: Digest | null;
  readonly shell: CallLine | null;
  readonly paths: PathVerdict | null;
}

/** The row of a call; null if there were no facts to put to the policies. */
export function keptCall(
  submitter: Submitter,
  judged: JudgedForKeeping,
  executorKinds: ExecutorKinds,
): ToolCallFacts | null {
  const { id, question, facts, decided, argumentsDigest, shell, paths } = judged;
  const { now, tool, executor, environment } = facts;
  if (decided === null || argumentsDigest === null || tool === null || environment === null) return null;
  const { clientCallId, turnId, reason, session, arguments: args } = question;
  const risk = shell === null ? tool.definition.risk : riskOfLine(shell, environment.production);
  return {
    ...{ id, sessionId: session?.id ?? null, submitter, clientCallId, turnId, reason },
    tool: { name: tool.name, version: tool.version },
    executor: executor && {
      name: executor.name,
      version: executor.version,
      digest: executor.digest,
      answeredBy: kindNamed(executorKinds, executor.kind)?.answeredBy ?? 'executor',
    },
    environment: {
      // The facts of a call come from the record of its environment.
      id: environment.id as EnvironmentId,
      name: environment.name,
      // The facts have the members of the record.
      digest: environmentDigest(environment as EnvironmentRecord),
    },
    ...{ arguments: args, argumentsDigest, shell, paths, decisionId: decided.id, askedAt: now },
    targets: targetsOf(tool, args, environment.name, changesUnder(risk)),
  };
}
