import type { Principal, Result, Tx } from '#lib/kernel';
import { mayChangeTask, type Task } from '../domain/task.js';
import type { AgentOwners } from './task.ports.js';

/** Asks {@link mayChangeTask} with the facts it needs. Each stage asks it before it changes records of a task. */
export class TaskAccess {
  constructor(private readonly owners: AgentOwners) {}

  async mayChange(tx: Tx, principal: Principal, task: Pick<Task, 'submitter'>): Promise<Result<void>> {
    const owner = task.submitter.kind === 'agent' ? await this.owners.ownerOf(tx, task.submitter.id) : null;
    return mayChangeTask(principal, task, owner);
  }
}
