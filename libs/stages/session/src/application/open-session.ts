import type { AutonomyReader } from '#lib/autonomy';
import type { Agent, AgentRepository } from '#lib/identity';
import { PLATFORM_ADMIN } from '#lib/formats';
import {
  actsInPerson,
  err,
  maskSecretText,
  newId,
  ok,
  type AgentId,
  type Failure,
  type Principal,
  type Result,
  type SessionId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { submitterOf, type EnvironmentReader } from '#lib/task';
import { closest } from '#lib/words';
import { budgetTooLarge, callBudgets, type CallBudgets } from '../domain/call-budgets.js';
import { mostOpenSessions, tooManyOpen } from '../domain/open-sessions.js';
import {
  DEFAULT_AUTONOMY,
  exceedsDefaults,
  sameAutonomy,
  type Session,
  type SessionAutonomy,
  type SessionLimits,
} from '../domain/session.js';
import { limitsByToken, openedByToken, refusedBy, type JudgeSessionChange } from './judge-session-change.js';
import { autonomyPayload, type SessionJournal } from './session-journal.js';
import type { SessionRepository } from './session.ports.js';

/** An entry about an agent with too many sessions stands for all such refusals in this time. They cannot flood the log. */
const ENTRY_STANDS_FOR_MS = 10 * 60_000;

/** A session as it is asked for. */
export interface WantedSession extends Omit<SessionLimits, 'callBudget'> {
  /** Null: the one that sessions of the tenant have by default. */
  readonly callBudget: number | null;
  /** By name. */
  readonly environment: string;
  /** Null: the agent that asks. */
  readonly agentIds: readonly AgentId[] | null;
  readonly autonomy: SessionAutonomy;
  readonly model: string | null;
}

interface OpenSessionDeps {
  readonly uow: UnitOfWork;
  readonly sessions: Pick<SessionRepository, 'insert' | 'lockOpen' | 'firstRefusal'>;
  readonly environments: Pick<EnvironmentReader, 'byName' | 'names'>;
  readonly agents: Pick<AgentRepository, 'find'>;
  readonly autonomy: AutonomyReader;
  readonly judge: JudgeSessionChange;
  readonly journal: SessionJournal;
}

/**
 * Opens a session: an agent for itself, a person for agents that they answer for, an admin for any agent. A session only adds
 * questions to the tenant's autonomy document, so its opener chooses the preset. Some sessions take a person in a
 * browser or in Slack. They are looser anywhere than the default, or have more calls or a longer wait for answers. An
 * agent may have the token of its owner (T55).
 *
 * Failures: `task.submitter_required`, `session.agents_missing`, `session.agents_not_yours`, `session.unknown_agent`,
 * `session.agent_disabled`, `session.unknown_environment`, `session.budget_too_large`;
 * `session.opened_looser`, recorded; `session.too_many_open`, the first in ten minutes recorded, for each agent and submitter.
 */
export class OpenSession {
  constructor(private readonly deps: OpenSessionDeps) {}

  async execute(by: Principal, wanted: WantedSession): Promise<Result<Session>> {
    const openedBy = submitterOf(by);
    if (!openedBy.ok) return openedBy;
    return this.deps.uow.run(by.tenantId, async (tx) => {
      const agentIds = await this.#agentsOf(tx, by, wanted.agentIds);
      if (!agentIds.ok) return agentIds;
      const environment = await this.deps.environments.byName(tx, wanted.environment);
      if (environment === null)
        return err(unknownEnvironment(wanted.environment, await this.deps.environments.names(tx)));
      const now = await tx.now();
      const document = (await this.deps.autonomy.current(tx))?.document ?? null;
      const budgets = callBudgets(document);
      const { autonomy, idleSeconds, approvalSeconds, callsPerTurn, callBudget } = wanted;
      const session: Session = {
        id: newId<SessionId>(),
        environment: { id: environment.id, name: environment.name },
        agentIds: agentIds.value,
        autonomy,
        revision: 1,
        model: wanted.model === null ? null : maskSecretText(wanted.model),
        idleSeconds,
        approvalSeconds,
        callsPerTurn,
        callBudget: callBudget ?? budgets.byDefault,
        state: 'open',
        endedReason: null,
        openedBy: openedBy.value,
        openedAt: now,
        lastUsedAt: now,
        endedAt: null,
      };
      if (session.callBudget > budgets.most) return err(budgetTooLarge(budgets));
      const refused = await this.#refusal(tx, by, session, budgets);
      if (refused !== null) return err(refused);
      const full = await this.#full(tx, by, session, mostOpenSessions(document));
      if (full !== null) return err(full);
      await this.deps.sessions.insert(tx, session);
      await this.deps.journal.record(tx, 'session.opened', session, by, {
        level: 'detailed',
        payload: {
          environment: environment.name,
          agent_ids: [...session.agentIds],
          ...autonomyPayload(autonomy),
          model: session.model,
          idle_seconds: idleSeconds,
          approval_seconds: approvalSeconds,
          calls_per_turn: callsPerTurn,
          call_budget: session.callBudget,
        },
      });
      return ok(session);
    });
  }

  /** The reason that this session may not be opened by a token, on record; null if it may. */
  async #refusal(tx: Tx, by: Principal, session: Session, budgets: CallBudgets): Promise<Failure | null> {
    const { autonomy: after, environment } = session;
    if (exceedsDefaults(session, budgets) && !actsInPerson(by)) {
      const { approvalSeconds, callsPerTurn, callBudget } = session;
      const limits = { approval_seconds: approvalSeconds, calls_per_turn: callsPerTurn, call_budget: callBudget };
      await this.deps.journal.record(tx, 'session.open_refused', session, by, {
        level: 'detailed',
        payload: { environment: environment.name, ...autonomyPayload(after), ...limits },
      });
      return limitsByToken;
    }
    if (sameAutonomy(after, DEFAULT_AUTONOMY)) return null;
    const { id, decision } = await this.deps.judge.execute(tx, by, session, { before: DEFAULT_AUTONOMY, after });
    if (decision.outcome === 'allow') return null;
    await this.deps.journal.record(tx, 'session.open_refused', session, by, {
      level: decision.obligations.audit_level,
      decisionId: id,
      payload: { environment: environment.name, ...autonomyPayload(after) },
    });
    return refusedBy(decision, openedByToken);
  }

  /** The recorded refusal if an agent of the session has no room for another one; null if each has. */
  async #full(tx: Tx, by: Principal, session: Session, most: number): Promise<Failure | null> {
    const { agentIds, openedAt: now, openedBy, environment } = session;
    for (const [agentId, { count, firstIdleAt }] of await this.deps.sessions.lockOpen(tx, agentIds)) {
      if (count < most) continue;
      const full = tooManyOpen(agentId, most, { firstIdleAt, now });
      if (await this.deps.sessions.firstRefusal(tx, { submitterId: openedBy.id, agentId }, ENTRY_STANDS_FOR_MS))
        await this.deps.journal.record(tx, 'session.open_refused', session, by, {
          level: 'detailed',
          payload: { code: full.code, environment: environment.name, ...full.details },
        });
      return full;
    }
    return null;
  }

  async #agentsOf(tx: Tx, by: Principal, wanted: readonly AgentId[] | null): Promise<Result<readonly AgentId[]>> {
    if (by.kind === 'agent')
      return wanted === null || wanted.every((id) => id === by.agentId) ? ok([by.agentId]) : err(ownAgentOnly);
    if (wanted === null) return err(agentsMissing);
    const ids = [...new Set(wanted)].sort();
    for (const id of ids) {
      const problem = problemOf(by, id, await this.deps.agents.find(tx, id));
      if (problem !== null) return err(problem);
    }
    return ok(ids);
  }
}

function problemOf(by: Principal, id: AgentId, agent: Agent | null): Failure | null {
  if (agent === null) return badAgent('session.unknown_agent', `There is no agent ${id} in this tenant.`);
  const admin = by.kind === 'person' && by.roles.some(({ role }) => role === PLATFORM_ADMIN);
  if (!admin && !(by.kind === 'person' && agent.ownerId === by.personId)) return notYourAgent;
  if (agent.disabledAt !== null) return badAgent('session.agent_disabled', `The agent ${agent.name} is disabled.`);
  return null;
}

const badAgent = (code: string, message: string): Failure => ({
  kind: 'unprocessable',
  code,
  message,
  action: 'Name enabled agents of this tenant.',
  errors: [{ pointer: '/agent_ids', code, message }],
});

const ownAgentOnly: Failure = {
  kind: 'forbidden',
  code: 'session.agents_not_yours',
  message: 'An agent opens a session for itself alone.',
  action: 'Leave agent_ids out. A session of several agents is opened by the person who answers for them.',
};

const notYourAgent: Failure = {
  kind: 'forbidden',
  code: 'session.agents_not_yours',
  message: 'You do not answer for each of these agents.',
  action: `Name agents that you answer for, or ask a ${PLATFORM_ADMIN} to open the session.`,
};

const agentsMissing: Failure = {
  kind: 'unprocessable',
  code: 'session.agents_missing',
  message: 'The session names no agent.',
  action: 'Name in agent_ids the agents that will call tools in it.',
  errors: [{ pointer: '/agent_ids', code: 'session.agents_missing', message: 'is required of a person' }],
};

function unknownEnvironment(name: string, names: readonly string[]): Failure {
  const meant = closest(name, names);
  const [code, message] = ['session.unknown_environment', `There is no environment "${name}".`];
  return {
    kind: 'unprocessable',
    code,
    message,
    action: names.length === 0 ? 'Ask an admin to create one.' : `Name one of: ${names.join(', ')}.`,
    errors: [{ pointer: '/environment', code, message, ...(meant === undefined ? {} : { suggestion: meant }) }],
  };
}
