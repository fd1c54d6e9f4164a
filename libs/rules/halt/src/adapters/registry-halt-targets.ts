import type { AgentRepository } from '#lib/identity';
import type { AgentId, EnvironmentId, Tx } from '#lib/kernel';
import type { EnvironmentRepository } from '#lib/tenancy';
import type { ToolRepository } from '#lib/tool';
import type { HaltTargets } from '../application/halt.ports.js';

/** Looks up the targets of halts in the libraries that own them. */
export class RegistryHaltTargets implements HaltTargets {
  constructor(
    private readonly environments: Pick<EnvironmentRepository, 'byName'>,
    private readonly agents: Pick<AgentRepository, 'find'>,
    private readonly tools: Pick<ToolRepository, 'history'>,
  ) {}

  environmentByName(tx: Tx, name: string): Promise<{ readonly id: EnvironmentId; readonly name: string } | null> {
    return this.environments.byName(tx, name);
  }

  async agentExists(tx: Tx, id: AgentId): Promise<boolean> {
    return (await this.agents.find(tx, id)) !== null;
  }

  async toolExists(tx: Tx, name: string): Promise<boolean> {
    return (await this.tools.history(tx, name)) !== null;
  }
}
