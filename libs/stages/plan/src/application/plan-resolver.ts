import type { EnvironmentRecord } from '#lib/task';
import type { PlanId, Tx } from '#lib/kernel';
import type { ExecutorDirectory, ExecutorRecord, SecretNames, ToolRegistry, ToolVersion } from '#lib/tool';
import type { SecretBinding } from '#lib/tenancy';
import type { PlanRepository } from './plan.ports.js';

/** Finds the tools, secrets and executors that plans are expanded with, in one query a kind. */
export class PlanResolver {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly directory: ExecutorDirectory,
    private readonly plans: Pick<PlanRepository, 'heldTools'>,
    private readonly secretNames: SecretNames,
  ) {}

  /** The names of every tool if one of these is unknown, for the suggestion of a similar one. */
  async toolNames(
    tx: Tx,
    wanted: readonly string[],
    found: ReadonlyMap<string, ToolVersion>,
  ): Promise<readonly string[]> {
    return wanted.every((name) => found.has(name)) ? [] : (await this.registry.list(tx)).map(({ name }) => name);
  }

  /** Those of these secrets, as `name@version`, which there are, with their bindings. */
  secrets(tx: Tx, named: readonly string[]): Promise<ReadonlyMap<string, SecretBinding | null>> {
    return this.secretNames.bindings(tx, named);
  }

  /** The executors of these tools in this environment, by executor name. */
  executors(
    tx: Tx,
    environment: EnvironmentRecord,
    tools: ReadonlyMap<string, ToolVersion>,
  ): Promise<ReadonlyMap<string, ExecutorRecord>> {
    const names = new Set([...tools.values()].map((tool) => tool.definition.executor));
    return this.directory.resolveMany(tx, environment.id, [...names]);
  }

  /** Those of these versions that there are: the ones that count now in one query, and older ones by themselves. */
  async versions(
    tx: Tx,
    wanted: readonly { readonly name: string; readonly version: number }[],
  ): Promise<ToolVersion[]> {
    const held = new Map(wanted.map(({ name, version }) => [`${name}@${String(version)}`, { name, version }]));
    const current = await this.registry.resolveMany(tx, [...new Set(wanted.map(({ name }) => name))]);
    const found: ToolVersion[] = [];
    for (const { name, version } of held.values()) {
      const inForce = current.get(name);
      const tool = inForce?.version === version ? inForce : await this.registry.get(tx, name, version);
      if (tool !== null) found.push(tool);
    }
    return found;
  }

  /** The versions that a plan was expanded with, also those that no longer count. */
  async heldBy(tx: Tx, planId: PlanId): Promise<readonly ToolVersion[]> {
    const versions = await this.registry.getMany(tx, await this.plans.heldTools(tx, planId));
    return [...versions.values()];
  }
}
