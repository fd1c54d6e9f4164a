import { workspacePoolOf, type DispatchOrder, type ExecutorKinds, type GrantOrder } from '#lib/dispatch';
import type { GrantedLine } from '#lib/formats';
import type { HaltReader, HaltScope } from '#lib/halt';
import {
  unlessNotAuthentic,
  type Failure,
  type Principal,
  type SubjectRef,
  type ToolCallId,
  type Tx,
} from '#lib/kernel';
import { judgeLine } from '#lib/plan';
import { environmentDigest, type EnvironmentRecord } from '#lib/task';
import { orderedTool, type ExecutorDirectory, type ExecutorRecord, type ToolVersion } from '#lib/tool';
import { dispatched, type AllowedCall, type ExecutingCall } from '../domain/call-changes.js';
import { lineToGrant } from '../domain/call-line.js';
import { pathsAsJudged } from '../domain/call-paths.js';
import { SUBMITTER_DISABLED, type CallFault, type ToolCall, type ToolCallFacts } from '../domain/tool-call.js';
import type { CallFacts, CallFactsReader } from './call-facts.port.js';
import type { CallJournal } from './call-journal.js';
import type { SubmitterStanding } from './submitter-standing.port.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** The tool, the executor and the command line of a call, as they were decided on. */
export interface CallMeans {
  readonly tool: ToolVersion;
  readonly executor: ExecutorRecord;
  /** Null for a tool that takes none. */
  readonly line: GrantedLine | null;
}

/** A call as it stands now, and why it may not leave. */
export interface LockedCall {
  readonly call: ToolCall;
  /**
   * Null if its submitter may still act, and all else is as when it was decided. That is the halt, the tool, the
   * executor, the environment, the command line, and the verdict on its paths. `record.not_authentic` if Countersign did
   * not write the autonomy document in force.
   */
  readonly fault: CallFault | null;
  /** Null if there is a fault. */
  readonly means: CallMeans | null;
  /** The database's clock after the lock, in epoch milliseconds. */
  readonly now: number;
  /** Of the call's entries in the audit log. */
  readonly within: readonly SubjectRef[];
}

/** A call that left. */
export interface SentCall {
  readonly call: ExecutingCall;
  readonly order: DispatchOrder;
  readonly within: readonly SubjectRef[];
}

interface DispatchToolCallDeps {
  readonly calls: ToolCallRepository;
  readonly facts: CallFactsReader;
  readonly halts: Pick<HaltReader, 'keepOff' | 'active'>;
  readonly executors: Pick<ExecutorDirectory, 'resolveMany'>;
  readonly submitters: SubmitterStanding;
  readonly journal: CallJournal;
  readonly executorKinds: ExecutorKinds;
  readonly leaseMarginMs: number;
}

/**
 * Sends an allowed call out. Compares the facts that it was decided on, writes the attempt with its lease, and makes
 * its order. The halts are read under the lock that a halt takes, which comes before the call's own. So a halt either
 * stops the call or finds it executing (T35).
 */
export class DispatchToolCall {
  constructor(private readonly deps: DispatchToolCallDeps) {}

  /** The call locked, and compared with the facts of now. Null if there is none. */
  async lock(tx: Tx, id: ToolCallId): Promise<LockedCall | null> {
    const { halts, calls, submitters, journal } = this.deps;
    halts.keepOff(tx);
    const call = await calls.lock(tx, id);
    if (call === null) return null;
    // Sent one after the other and awaited once.
    const [facts, executor, isDisabled, within] = await Promise.all([
      // A forged document stays in force until a person puts another one, and the call does not wait for that.
      unlessNotAuthentic(this.#factsOf(tx, call), forged),
      this.#executorOf(tx, call),
      submitters.isDisabled(tx, call.submitter),
      journal.within(tx, call),
    ]);
    if ('code' in facts) return { call, now: await tx.now(), within, fault: facts, means: null };
    const means = meansOf(call, facts, { executor, isDisabled });
    const known = { call, now: facts.now, within };
    return 'code' in means ? { ...known, fault: means, means: null } : { ...known, fault: null, means };
  }

  /** Writes the attempt. The call itself is made after the commit. */
  async send(
    tx: Tx,
    call: AllowedCall | ExecutingCall,
    means: CallMeans,
    { by, now, within }: { readonly by: Principal } & Pick<LockedCall, 'now' | 'within'>,
  ): Promise<SentCall> {
    const { tool, executor, line } = means;
    const leaseUntil = now + tool.definition.time_limit_seconds * 1_000 + this.deps.leaseMarginMs;
    const next = dispatched(call, { now, leaseUntil });
    await this.deps.calls.save(tx, next);
    await this.deps.journal.record(tx, next, {
      action: 'tool_call.dispatched',
      by,
      within,
      data: {
        executor: executor.name,
        executor_version: executor.version,
        targets: [...call.targets],
        ...(line === null ? {} : { tree: line.tree }),
      },
    });
    return { call: next, order: this.orderOf(tx, next, means), within };
  }

  /** The order of an executing call. */
  orderOf(tx: Tx, call: ExecutingCall, { tool, executor, line }: CallMeans): DispatchOrder {
    const { name, kind, url, audience, secret, settings } = executor;
    const inSession = call.sessionId !== null && workspacePoolOf(this.deps.executorKinds, executor) !== null;
    return {
      ...this.#grantOrder(tx, call, audience, line),
      ...(inSession ? { session: call.sessionId } : {}),
      tool: orderedTool(tool),
      executor: { name, kind, url, audience, secret, settings },
      arguments: call.arguments,
      withSecrets: true,
      idempotencyKey: call.id,
    };
  }

  #grantOrder(tx: Tx, call: ExecutingCall, audience: string, line: CallMeans['line']): GrantOrder {
    return {
      tenantId: tx.tenantId,
      environment: call.environment.name,
      basis: call.requestId === null ? 'policy' : 'approval',
      source: { type: 'tool_call', id: call.id },
      step: call.id,
      attempt: call.attempt,
      tool: call.tool,
      executor: { audience },
      argumentsDigest: call.argumentsDigest,
      planDigest: null,
      shell: line,
      mayLeaveUntil: (later) => this.#mayLeaveUntil(later, call),
    };
  }

  /** Whether this attempt is still awaited, and no halt or disabling has come since: its worker may have stood still. */
  async #mayLeaveUntil(tx: Tx, { id, attempt }: ExecutingCall): Promise<number | null> {
    const { halts, calls, submitters } = this.deps;
    halts.keepOff(tx);
    const call = await calls.lock(tx, id);
    if (call?.state !== 'executing' || call.attempt !== attempt) return null;
    const [inForce, isDisabled] = await Promise.all([
      halts.active(tx, haltScopeOf(call)),
      submitters.isDisabled(tx, call.submitter),
    ]);
    return inForce.length > 0 || isDisabled ? null : call.leaseUntil;
  }

  #factsOf(tx: Tx, call: ToolCallFacts): Promise<CallFacts> {
    const { tool, environment } = call;
    return this.deps.facts.read(tx, { tool: tool.name, environment: environment.name, agentId: agentIdOf(call) });
  }

  /** The current version of the executor that the call was decided with. */
  async #executorOf(tx: Tx, { executor, environment }: ToolCallFacts): Promise<ExecutorRecord | undefined> {
    if (executor === null) return undefined;
    return (await this.deps.executors.resolveMany(tx, environment.id, [executor.name])).get(executor.name);
  }
}

/**
 * A fault if a halt covers the call or if its submitter is disabled. Another one if a fact differs from the decided one. Such
 * facts are the tool, its executor, the environment, the line's tree, and the verdict on the paths.
 */
function meansOf(
  call: ToolCallFacts,
  { tool, environment, halts: [halt] }: CallFacts,
  { executor, isDisabled }: { readonly executor: ExecutorRecord | undefined; readonly isDisabled: boolean },
): CallMeans | CallFault {
  if (halt !== undefined) return haltedBy(halt);
  if (isDisabled) return SUBMITTER_DISABLED;
  if (tool?.version !== call.tool.version || environment === null) return CHANGED;
  // The facts have the members of the record.
  if (environmentDigest(environment as EnvironmentRecord) !== call.environment.digest) return CHANGED;
  if (executor === undefined || executor.digest !== call.executor?.digest) return CHANGED;
  const line = lineToGrant(call.shell, judgeLine(tool, call.arguments, environment.production));
  if (line === 'differs') return OTHER_LINE;
  return pathsAsJudged(call.paths, tool, call.arguments) ? { tool, executor, line } : OTHER_PATHS;
}

export const agentIdOf = ({ submitter }: Pick<ToolCallFacts, 'submitter'>) =>
  submitter.kind === 'agent' ? submitter.id : null;

/** The halts that keep a call from leaving. */
function haltScopeOf(call: ToolCallFacts): HaltScope {
  const agentId = agentIdOf(call);
  return { environmentId: call.environment.id, agentIds: agentId === null ? [] : [agentId], tools: [call.tool.name] };
}

const haltedBy = ({ id, kind }: { readonly id: string; readonly kind: string }): CallFault => ({
  code: 'tool_call.halted',
  message: `The halt ${id} of the ${kind} stops it. Nothing was sent.`,
});

const forged = ({ code, message }: Failure): CallFault => ({
  code,
  message: `${message} Nothing was sent. Have the operator find out who wrote to the database.`,
});

const CHANGED: CallFault = {
  code: 'tool_call.facts_changed',
  message:
    'The tool, its executor or the environment has changed since the call was allowed. Nothing was sent. Ask again.',
};

const OTHER_PATHS: CallFault = {
  code: 'tool_call.paths_differ',
  message: 'Its paths are judged worse than when the call was allowed. Nothing was sent. Ask again.',
};

const OTHER_LINE: CallFault = {
  code: 'tool_call.line_differs',
  message: 'Its command line is read otherwise than when the call was allowed. Nothing was sent. Ask again.',
};
