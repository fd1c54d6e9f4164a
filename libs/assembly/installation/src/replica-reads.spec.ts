import { readFromReplica, REPLICA_READS } from './replica-reads.js';

class ListTasks {
  #kept = 'kept';

  execute(word: string): Promise<string> {
    return Promise.resolve(`${this.#kept} ${word}`);
  }

  other(): Promise<string> {
    return Promise.resolve(this.#kept);
  }
}

describe('the reads of a replica', () => {
  it('are these, and no credential, role, halt or decision', () => {
    const named = Object.entries(REPLICA_READS).flatMap(([part, members]) =>
      Object.entries(members).flatMap(([member, methods]) => methods.map((method) => `${part}.${member}.${method}`)),
    );
    expect(named).toEqual([
      'task.listTasks.execute',
      'plan.listPlans.execute',
      'simulation.listSimulations.execute',
      'approval.readRequests.list',
      'approval.readStatistics.execute',
      'run.read.list',
      'session.readSessions.list',
      'toolCall.listSessionCalls.execute',
      'automation.readAutomations.list',
      'automation.readAutomations.listRuns',
      'log.listEntries.execute',
      'log.listActions.execute',
      'log.getEntry.execute',
      'log.latestCheckpoint.execute',
      'log.consistencyProof.execute',
      'report.readOverview.execute',
      'report.findAnything.execute',
    ]);
  });

  it('are the named methods of a use case, and no other', async () => {
    let reads = 0;
    const listTasks = new ListTasks();
    const createTask = new ListTasks();
    const part = readFromReplica((work) => ((reads += 1), work()), 'task', { listTasks, createTask });
    expect(await part.listTasks.execute('x')).toBe('kept x');
    expect(reads).toBe(1);
    expect(await part.listTasks.other()).toBe('kept');
    expect([reads, part.createTask === createTask, part.listTasks.constructor]).toEqual([1, true, ListTasks]);
  });

  it('do not start with a name that is gone', () => {
    expect(() => readFromReplica((work) => work(), 'task', {})).toThrow('task has no listTasks');
  });
});
