import type { AutonomyReader } from '#lib/autonomy';
import type {
  ApprovalRepository,
  CallAbout,
  CallSubject,
  CallSubjects,
  ClaimRepository,
  HeldRequest,
} from '#lib/approval';
import { workspacePoolOf, type ExecutorKinds } from '#lib/dispatch';
import type { HaltReader } from '#lib/halt';
import type { ApprovalRequestId, ToolCallId, Tx } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { Session } from '#lib/session';
import { type EnvironmentReader, type EnvironmentRecord } from '#lib/task';
import { type ExecutorDirectory, type ToolRegistry, type ToolVersion } from '#lib/tool';
import { callShape } from '../domain/call-shape.js';
import { callQuestion } from '../domain/call-question.js';
import { needsWayBack, withNoWayBack } from '../domain/no-way-back.js';
import { callInWords, subjectCall } from '../domain/subject-call.js';
import type { ToolCallFacts } from '../domain/tool-call.js';
import { peopleBehind, type AgentPeople } from './agent-people.port.js';
import type { ToolCallRepository } from './tool-call.port.js';

/**
 * Knows why a runner of a pool takes no snapshot of its whole workspace in an environment, in its words.
 *
 * @returns null if each of them takes one.
 */
export type NoWayBack = (tx: Tx, pool: string, environment: string) => Promise<string | null>;

export interface ToolCallSubjectsDeps {
  readonly policy: Pick<PolicyDecisionPoint, 'lockBundleHead'>;
  readonly autonomy: AutonomyReader;
  readonly tools: Pick<ToolRegistry, 'get' | 'resolveMany'>;
  readonly executors: Pick<ExecutorDirectory, 'resolveMany'>;
  readonly environments: Pick<EnvironmentReader, 'byId'>;
  readonly halts: Pick<HaltReader, 'active'>;
  readonly sessions: {
    find(tx: Tx, id: Session['id']): Promise<Session | null>;
    lock(tx: Tx, id: Session['id']): Promise<Session | null>;
  };
  readonly agents: AgentPeople;
  readonly executorKinds: ExecutorKinds;
  readonly noWayBack: NoWayBack;
  readonly calls: Pick<ToolCallRepository, 'find' | 'findMany' | 'lock'>;
  readonly requests: Pick<ApprovalRepository, 'find' | 'lock' | 'reviews'>;
  readonly claims: Pick<ClaimRepository, 'claim'>;
}

/** Gathers the subject of a call's approval from the earlier stages and this one, in the order of locks. */
export class ToolCallSubjects implements CallSubjects {
  constructor(private readonly deps: ToolCallSubjectsDeps) {}

  async holdRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest<CallSubject> | null> {
    const { policy, autonomy, tools, executors, calls, requests } = this.deps;
    await policy.lockBundleHead(tx);
    // These members never change, so they name the rows to lock.
    const facts = await this.#factsOf(tx, id);
    if (facts === null) return null;
    await autonomy.current(tx, { lock: 'share' });
    await tools.resolveMany(tx, [facts.tool.name], { lock: 'share' });
    const session = await this.#session(tx, facts, 'lock');
    const call = await calls.lock(tx, facts.id);
    if (facts.executor !== null)
      await executors.resolveMany(tx, facts.environment.id, [facts.executor.name], { lock: 'share' });
    const request = await requests.lock(tx, id);
    if (call === null || request === null) return null;
    // Read under all locks: an executor that moved while they were waited for is the one of now.
    return this.#withRequest(tx, await this.of(tx, call, session), request);
  }

  async readRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest<CallSubject> | null> {
    const facts = await this.#factsOf(tx, id);
    const request = facts === null ? null : await this.deps.requests.find(tx, id);
    if (facts === null || request === null) return null;
    return this.#withRequest(tx, await this.of(tx, facts, await this.#session(tx, facts, 'find')), request);
  }

  async read(tx: Tx, id: ToolCallId): Promise<CallSubject | null> {
    const call = await this.deps.calls.find(tx, id);
    return call === null ? null : this.of(tx, call, await this.#session(tx, call, 'find'));
  }

  async about(tx: Tx, ids: readonly ToolCallId[]): Promise<ReadonlyMap<ToolCallId, CallAbout>> {
    const [tools, environments] = [new Map<string, ToolVersion>(), new Map<string, EnvironmentRecord>()];
    const lines = new Map<ToolCallId, CallAbout>();
    for (const call of await this.deps.calls.findMany(tx, [...new Set(ids)])) {
      const key = `${call.tool.name}@${String(call.tool.version)}`;
      const tool = tools.get(key) ?? (await this.#tool(tx, call));
      const environment = environments.get(call.environment.id) ?? (await this.#environment(tx, call));
      tools.set(key, tool);
      environments.set(call.environment.id, environment);
      const { category, impact: does } = callInWords(call, tool);
      const impact = withNoWayBack(does, await this.#noWayBack(tx, call));
      lines.set(call.id, {
        type: 'tool_call',
        environment: { id: environment.id, name: environment.name, production: environment.production },
        tool: tool.name,
        ...{ category, impact, reason: call.reason },
      });
    }
    return lines;
  }

  /** The subject of a call as it was asked for, by the records of this moment. */
  async of(tx: Tx, facts: ToolCallFacts, session: Pick<Session, 'autonomy'> | null): Promise<CallSubject> {
    const { autonomy, tools, executors, halts, agents } = this.deps;
    const { submitter, executor } = facts;
    const tool = await this.#tool(tx, facts);
    const environment = await this.#environment(tx, facts);
    const inForce = await autonomy.current(tx);
    const names = executor === null ? [] : [executor.name];
    const registry = {
      tools: await tools.resolveMany(tx, [tool.name]),
      executors: await executors.resolveMany(tx, facts.environment.id, names),
    };
    const call = subjectCall(facts, tool);
    const behind = await peopleBehind(agents, tx, submitter, facts.askedAt);
    const active = await halts.active(tx, {
      environmentId: facts.environment.id,
      agentIds: submitter.kind === 'agent' ? [submitter.id] : [],
      tools: [tool.name],
    });
    return {
      type: 'tool_call',
      call: { ...call, impact: withNoWayBack(call.impact, await this.#noWayBack(tx, facts)) },
      shape: facts.sessionId === null ? null : callShape(tool, facts.arguments),
      environment,
      registry,
      autonomy: { revisionId: inForce?.revisionId ?? null, facts: inForce?.document ?? null },
      ...behind,
      question: callQuestion({
        tenantId: tx.tenantId,
        now: await tx.now(),
        autonomy: inForce?.document ?? null,
        // The submitter had the scope when it asked. A token is the strictest way; in person, the session would ask nothing.
        actor: { kind: submitter.kind, id: submitter.id, scopes: ['run'], via: 'token' },
        tool,
        environment,
        session,
        trusted: false,
        shell: facts.shell,
        // A call whose line has no tree was denied before anybody was asked.
        notExecutable: null,
        paths: facts.paths,
        halts: active,
      }),
    };
  }

  async #noWayBack(tx: Tx, facts: ToolCallFacts): Promise<string | null> {
    const { executor, environment } = facts;
    if (executor === null || !needsWayBack(facts)) return null;
    const found = (await this.deps.executors.resolveMany(tx, environment.id, [executor.name])).get(executor.name);
    const pool = found === undefined ? null : workspacePoolOf(this.deps.executorKinds, found);
    return pool === null ? null : this.deps.noWayBack(tx, pool, environment.name);
  }

  /** The call of a request; null for a request about something else. */
  async #factsOf(tx: Tx, id: ApprovalRequestId): Promise<ToolCallFacts | null> {
    const subject = (await this.deps.requests.find(tx, id))?.subject;
    return subject?.type === 'tool_call' ? this.deps.calls.find(tx, subject.id) : null;
  }

  async #session(tx: Tx, { sessionId }: ToolCallFacts, reader: 'find' | 'lock'): Promise<Session | null> {
    return sessionId === null ? null : this.deps.sessions[reader](tx, sessionId);
  }

  async #withRequest(tx: Tx, subject: CallSubject, request: HeldRequest['request']): Promise<HeldRequest<CallSubject>> {
    const now = await tx.now();
    const reviews = await this.deps.requests.reviews(tx, request.id);
    return {
      subject,
      request,
      now,
      claim: await this.deps.claims.claim(tx, request.id, now),
      reviewedBy: reviews.map(({ personId }) => personId),
      reviews: () => Promise.resolve(reviews),
    };
  }

  async #tool(tx: Tx, { id, tool: { name, version } }: ToolCallFacts): Promise<ToolVersion> {
    const tool = await this.deps.tools.get(tx, name, version);
    if (tool === null) throw new Error(`the tool of the call ${id} was never there`);
    return tool;
  }

  async #environment(tx: Tx, { id, environment }: ToolCallFacts): Promise<EnvironmentRecord> {
    const found = await this.deps.environments.byId(tx, environment.id);
    if (found === null) throw new Error(`the environment of the call ${id} is gone`);
    const { name, production, version } = found;
    return { id: found.id, name, production, version };
  }
}
