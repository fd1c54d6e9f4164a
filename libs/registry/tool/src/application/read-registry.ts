import type { ExecutorKinds } from '#lib/dispatch';
import type { ToolLevel } from '#lib/formats';
import { err, notFound, ok, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import type { EnvironmentRepository } from '#lib/tenancy';
import { destinationOf } from '../domain/executor-document.js';
import { level } from '../domain/level.js';
import type { StoredExecutor } from '../domain/tool-version.js';
import type { ExecutorRepository, RecordedToolVersion, ToolRepository } from './tool.ports.js';

/** An executor as it stands in an environment. */
export interface ExecutorInEnvironment {
  readonly environment: string;
  readonly executor: StoredExecutor;
  /** The destination of its calls, for people. */
  readonly destination: string;
}

/** Everything there is to read about tools and executors. */
export class ReadRegistry {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tools: ToolRepository,
    private readonly executors: ExecutorRepository,
    private readonly environments: Pick<EnvironmentRepository, 'byName'>,
    /** The kinds that an executor can be of. */
    readonly kinds: ExecutorKinds,
  ) {}

  /** Every tool that counts now. */
  async list(principal: Principal): Promise<readonly RecordedToolVersion[]> {
    return this.uow.run(principal.tenantId, (tx) => this.tools.list(tx));
  }

  /** A tool's versions, newest first, also of one that was removed. */
  async history(
    principal: Principal,
    name: string,
  ): Promise<Result<{ readonly removed: boolean; readonly versions: readonly RecordedToolVersion[] }>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const history = await this.tools.history(tx, name);
      return history === null ? err(notFound('tool')) : ok(history);
    });
  }

  /** The levels of versions, in their order; null for a version that never was. */
  async levels(
    principal: Principal,
    versions: readonly { readonly name: string; readonly version: number }[],
  ): Promise<readonly (ToolLevel | null)[]> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const known = new Map<string, ToolLevel | null>();
      for (const { name, version } of versions) {
        const key = JSON.stringify([name, version]);
        if (known.has(key)) continue;
        const tool = await this.tools.get(tx, name, version);
        known.set(key, tool === null ? null : level(tool.definition));
      }
      return versions.map(({ name, version }) => known.get(JSON.stringify([name, version])) ?? null);
    });
  }

  /** The executors of an environment. */
  async executorsOf(principal: Principal, environmentName: string): Promise<Result<readonly ExecutorInEnvironment[]>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const environment = await this.environments.byName(tx, environmentName);
      if (environment === null) return err(notFound('environment'));
      const executors = await this.executors.list(tx, environment.id);
      return ok(
        executors.map((executor) => ({
          environment: environment.name,
          executor,
          destination: destinationOf(this.kinds, executor),
        })),
      );
    });
  }

  async executor(principal: Principal, environmentName: string, name: string): Promise<Result<ExecutorInEnvironment>> {
    const all = await this.executorsOf(principal, environmentName);
    if (!all.ok) return all;
    const found = all.value.find(({ executor }) => executor.name === name);
    return found === undefined ? err(notFound('executor')) : ok(found);
  }
}
