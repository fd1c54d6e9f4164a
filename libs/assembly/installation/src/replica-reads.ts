import type { Database } from '#lib/database';

/** Methods of use cases, by the part of the installation that holds them. */
type Reads = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/**
 * Everything that may be read from a replica: lists, reports and proofs. Whatever this table does not name is read from the primary:
 * credentials, roles, halts and decisions must hold at once. Evidence packs read their proofs likewise, after their own entry.
 */
export const REPLICA_READS: Reads = {
  task: { listTasks: ['execute'] },
  plan: { listPlans: ['execute'] },
  simulation: { listSimulations: ['execute'] },
  approval: { readRequests: ['list'], readStatistics: ['execute'] },
  run: { read: ['list'] },
  session: { readSessions: ['list'] },
  toolCall: { listSessionCalls: ['execute'] },
  automation: { readAutomations: ['list', 'listRuns'] },
  log: {
    listEntries: ['execute'],
    listActions: ['execute'],
    getEntry: ['execute'],
    latestCheckpoint: ['execute'],
    consistencyProof: ['execute'],
  },
  report: { readOverview: ['execute'], findAnything: ['execute'] },
};

/**
 * One part of the installation, with the reads that the table names of it.
 *
 * @throws if the part lacks one: a name changed.
 */
export function readFromReplica<T extends object>(reading: Database['reading'], name: string, part: T): T {
  const read: Record<string, unknown> = {};
  for (const [member, methods] of Object.entries(REPLICA_READS[name] ?? {})) {
    // A name without a use case is refused below.
    const useCase = (part as Readonly<Record<string, object | undefined>>)[member];
    if (useCase === undefined) throw new Error(`${name} has no ${member} to read from a replica.`);
    read[member] = reads(reading, useCase, methods);
  }
  return { ...part, ...read };
}

/** The use case, with these of its methods done as reads. */
function reads(reading: Database['reading'], useCase: object, methods: readonly string[]): object {
  for (const method of methods) {
    if (!(method in useCase)) throw new Error(`${useCase.constructor.name} has no ${method} to read from a replica.`);
  }
  return new Proxy(useCase, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || name === 'constructor') return member;
      // A method of a use case returns a promise.
      const method = member as (...args: unknown[]) => Promise<unknown>;
      if (typeof name !== 'string' || !methods.includes(name)) return method.bind(target);
      return (...args: unknown[]) => reading(() => method.apply(target, args));
    },
  });
}
