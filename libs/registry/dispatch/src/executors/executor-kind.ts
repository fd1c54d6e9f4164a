import type { SecretResolver } from '../application/secret-resolver.port.js';
import type { IssueGrant } from '../application/issue-grant.js';
import type { ToolDispatcher } from '../application/tool-dispatcher.port.js';
import type { OutboundAgents } from '../adapters/tenant-agents.js';

/** The parts of the way out that a dispatcher may use. */
export interface WayOut {
  readonly issueGrant: Pick<IssueGrant, 'execute'>;
  readonly secrets: SecretResolver;
  readonly agents: OutboundAgents;
}

/** One kind of executor. Each has a folder here, and a line in the registry. */
export interface ExecutorKind {
  /** The `kind` of its documents. It never changes: stored versions and approvals name it. */
  readonly name: string;
  /** `agent`: the agent that submitted the plan fetches the call, carries it out and reports. */
  readonly answeredBy: 'executor' | 'agent';
  dispatcher(out: WayOut): ToolDispatcher;
}
