import type { AutonomyRepository } from '#lib/autonomy';
import { type AutonomyRevisionId, type EnvironmentId, newId, requireSeal, type RowSeals, type Tx } from '#lib/kernel';
import type { ExecutorRecord } from '#lib/tool';
import type { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import type { FakeExecutorRepository } from '../../../../registry/tool/src/application/fake-executor.repository.js';
import type { FakeToolRepository } from '../../../../registry/tool/src/application/fake-tool.repository.js';
import type { FakeAutonomyRepository } from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import type { FakeHaltRepository } from '../../../../rules/halt/src/application/fake-halt.repository.js';
import type { AskedCall, CallFacts, CallFactsReader } from './call-facts.port.js';

/** Gathers the facts of one call from the fakes of the stores. */
export class FakeCallFacts implements CallFactsReader {
  readonly #forged = new Set<AutonomyRevisionId>();

  constructor(
    private readonly stores: {
      readonly tools: FakeToolRepository;
      readonly executors: FakeExecutorRepository;
      readonly environments: FakeEnvironmentRepository;
      readonly revisions: FakeAutonomyRepository;
      readonly halts: FakeHaltRepository;
    },
  ) {}

  /** Puts an autonomy document in force that Countersign did not write. */
  readonly forge: AutonomyRepository['put'] = (tx, revision) => {
    this.#forged.add(revision.revisionId);
    return this.stores.revisions.put(tx, revision);
  };

  async read(tx: Tx, { tool, environment, agentId }: AskedCall): Promise<CallFacts> {
    const { tools, executors, environments, revisions, halts } = this.stores;
    const found = await environments.byName(tx, environment);
    // A halt names an environment that exists: no halt is about this one.
    const environmentId = found?.id ?? newId<EnvironmentId>();
    const scope = { environmentId, agentIds: agentId === null ? [] : [agentId], tools: [tool] };
    const version = await tools.resolve(tx, tool);
    const executor = version?.definition.executor;
    const autonomy = await revisions.current(tx);
    if (autonomy !== null) await this.#requireSeal(tx, autonomy.revisionId);
    const record =
      executor === undefined ? undefined : (await executors.resolveMany(tx, environmentId, [executor])).get(executor);
    return {
      now: await tx.now(),
      tool: version,
      executor: record === undefined ? null : executorOf(record),
      environment: found === null ? null : factsOf(found),
      autonomy: autonomy?.document ?? null,
      halts: await halts.active(tx, scope),
    };
  }

  #requireSeal({ tenantId }: Tx, id: AutonomyRevisionId): Promise<void> {
    const seals: RowSeals = {
      seal: () => Promise.resolve(id),
      holds: () => Promise.resolve(!this.#forged.has(id)),
    };
    return requireSeal(seals, { table: 'autonomy_revision', tenantId, id, columns: {} }, id);
  }
}

const factsOf = ({ id, name, production, version }: NonNullable<CallFacts['environment']>) => ({
  id,
  name,
  production,
  version,
});

const executorOf = ({ name, version, kind, digest }: ExecutorRecord): NonNullable<CallFacts['executor']> => ({
  name,
  version,
  kind,
  digest,
});
