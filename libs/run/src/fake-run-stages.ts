import { canonicalJson, type Json } from '#lib/canonical';
import type { HaltFacts, ToolDefinition } from '#lib/contracts';
import type { Halt, HaltRepository, HaltScope } from '#lib/halt';
import {
  digestText,
  type ExecutorId,
  type HaltId,
  newId,
  type PlanId,
  type SimulationId,
  type ToolVersionId,
  type Tx,
} from '#lib/kernel';
import type { Plan, PlanRepository } from '#lib/plan';
import type { Simulation, SimulationOutcome, SimulationRepository } from '#lib/simulation';
import type { ExecutorDirectory, ExecutorRecord, ToolRegistry, ToolVersion } from '#lib/tool';
import { FakeTable, type FakeUnitOfWork } from '../../kernel/src/fake-unit-of-work.js';

/** What runs ask of plans. */
export function fakePlans(uow: FakeUnitOfWork): { readonly rows: FakeTable<Plan>; readonly plans: PlanRepository } {
  const rows = new FakeTable<Plan>(uow);
  const find = (tx: Tx, id: PlanId): Promise<Plan | undefined> => Promise.resolve(rows.of(tx).get(id));
  const ofTask = (tx: Tx, taskId: Plan['taskId']): readonly Plan[] =>
    [...rows.of(tx).values()].filter((plan) => plan.taskId === taskId);
  const asked: Pick<
    PlanRepository,
    'insert' | 'find' | 'lock' | 'lockLive' | 'nextRevision' | 'submittersOf' | 'heldTools'
  > = {
    insert: (tx, plan) => {
      rows.of(tx).set(plan.id, plan);
      return Promise.resolve();
    },
    find,
    lock: find,
    lockLive: (tx, taskId) => Promise.resolve(ofTask(tx, taskId).find(({ state }) => state === 'validated')),
    nextRevision: (tx, taskId) => Promise.resolve(ofTask(tx, taskId).length + 1),
    submittersOf: (tx, taskId) =>
      Promise.resolve(ofTask(tx, taskId).map(({ id, submitter }) => ({ planId: id, submitter }))),
    heldTools: () => Promise.resolve([]),
  };
  return { rows, plans: asked as PlanRepository };
}

/** The tools of this catalog, each in its first version. */
export function fakeTools(catalog: readonly ToolDefinition[]): ToolRegistry {
  const versions = new Map(
    catalog.map((definition): [string, ToolVersion] => [
      definition.name,
      {
        id: newId<ToolVersionId>(),
        name: definition.name,
        version: 1,
        digest: digestText('tool', canonicalJson(definition as Json)),
        definition,
      },
    ]),
  );
  const asked: Pick<ToolRegistry, 'get' | 'resolveMany' | 'list'> = {
    get: (_tx, name, version) => Promise.resolve(version === 1 ? (versions.get(name) ?? null) : null),
    resolveMany: (_tx, names) => Promise.resolve(new Map([...versions].filter(([name]) => names.includes(name)))),
    list: () => Promise.resolve([]),
  };
  return asked as ToolRegistry;
}

/** One executor of every environment, which moves from address to address. */
export class FakeFleet implements ExecutorDirectory {
  readonly #records: ExecutorRecord[] = [];

  constructor(private readonly kind: ExecutorRecord['kind']) {
    this.moveTo('http://127.0.0.1:1');
  }

  moveTo(url: string): void {
    this.#records.push({
      id: newId<ExecutorId>(),
      name: 'fleet',
      kind: this.kind,
      url: this.kind === 'agent' ? null : url,
      audience: 'fleet',
      sharedAudience: false,
      secret: null,
      version: this.#records.length + 1,
      digest: digestText('executor', url),
    });
  }

  resolveMany(): Promise<ReadonlyMap<string, ExecutorRecord>> {
    return Promise.resolve(new Map(this.#records.slice(-1).map((record) => [record.name, record])));
  }

  asBound(
    _tx: Tx,
    _environmentId: unknown,
    { name, digest }: { readonly name: string; readonly digest: string },
  ): Promise<ExecutorRecord | null> {
    const bound = this.#records.findLast((record) => record.name === name && record.digest === digest);
    return Promise.resolve(bound ?? null);
  }
}

/** Halts in memory. */
export function fakeHalts(uow: FakeUnitOfWork): { readonly rows: FakeTable<Halt>; readonly halts: HaltRepository } {
  const rows = new FakeTable<Halt>(uow);
  const find = (tx: Tx, id: HaltId): Promise<Halt | null> => Promise.resolve(rows.of(tx).get(id) ?? null);
  const put = (tx: Tx, halt: Halt): Promise<void> => {
    rows.of(tx).set(halt.id, halt);
    return Promise.resolve();
  };
  const active = (tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]> =>
    Promise.resolve(
      [...rows.of(tx).values()]
        .filter(({ lifted, target }) => lifted === null && covers(target, scope))
        .map(({ id, target }) => ({ id, kind: target.kind })),
    );
  const asked: Omit<HaltRepository, 'list'> = {
    insert: put,
    saveEffect: (tx, id, effect) => {
      const halt = rows.of(tx).get(id);
      return halt === undefined ? Promise.resolve() : put(tx, { ...halt, effect });
    },
    saveLifted: put,
    find,
    lock: find,
    active,
    activeNow: active,
  };
  return { rows, halts: asked as HaltRepository };
}

function covers(target: Halt['target'], { environmentId, agentIds, tools }: HaltScope): boolean {
  switch (target.kind) {
    case 'tenant':
      return true;
    case 'environment':
      return target.environmentId === environmentId;
    case 'agent':
      return agentIds.includes(target.agentId);
    case 'tool':
      return tools.includes(target.tool);
  }
}

/** Predictions in memory, and what was kept beside them. */
export class FakeSimulations {
  readonly rows: FakeTable<Simulation>;
  readonly outcomes: FakeTable<readonly SimulationOutcome[]>;

  constructor(uow: FakeUnitOfWork) {
    this.rows = new FakeTable(uow);
    this.outcomes = new FakeTable(uow);
  }

  get repository(): SimulationRepository {
    const asked: Pick<SimulationRepository, 'find' | 'counting' | 'outdate'> = {
      counting: (tx, planId) =>
        Promise.resolve([...this.rows.of(tx).values()].findLast((simulation) => simulation.planId === planId)),
      find: (tx: Tx, id: SimulationId) => Promise.resolve(this.rows.of(tx).get(id)),
      outdate: () => Promise.resolve([]),
    };
    return asked as SimulationRepository;
  }
}
