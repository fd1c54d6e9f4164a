import {
  actorOf,
  err,
  maskSecretText,
  ok,
  type AuditSink,
  type Failure,
  type Principal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { AGENT_ERROR } from '../domain/hook-event.js';
import type { AgentReports } from './agent-reports.ports.js';

/** The words of an agent about an error of its own. They are not checked. */
export interface AgentErrorReport {
  readonly error: string;
  readonly tool: string | null;
}

/** The most reports of an agent in a minute. */
const MAX_REPORTS = 60;

/**
 * Writes an error that an agent reports into the log, masked: hooks of `agent.error` take it from there. It decides nothing, and no
 * policy reads it.
 *
 * Failures: `agent_error.agents_only`, `agent_error.too_many`.
 */
export class ReportAgentError {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reports: AgentReports,
    private readonly audit: AuditSink,
  ) {}

  async execute(by: Principal, { error, tool }: AgentErrorReport): Promise<Result<void>> {
    if (by.kind !== 'agent') return err(agentsOnly);
    return this.uow.run(by.tenantId, async (tx) => {
      if (!(await this.reports.count(tx, by.agentId, MAX_REPORTS))) return err(tooMany);
      await this.audit.record(tx, {
        action: AGENT_ERROR,
        actor: actorOf(by),
        level: 'basic',
        subject: { type: 'agent', id: by.agentId },
        payload: { error: maskSecretText(error), tool },
      });
      return ok(undefined);
    });
  }
}

const agentsOnly: Failure = {
  kind: 'forbidden',
  code: 'agent_error.agents_only',
  message: 'Only an agent reports its errors.',
  action: "Use the agent's own token.",
};

const tooMany: Failure = {
  kind: 'rate_limited',
  code: 'agent_error.too_many',
  message: `An agent reports at most ${String(MAX_REPORTS)} errors in a minute.`,
  action: 'Report fewer: one for the same error is enough.',
};
