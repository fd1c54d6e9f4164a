import type { AgentId, EnvironmentId, PageRequest, PersonId, Principal, TaskId, Tx } from '#lib/kernel';
import type { TaskState } from '#lib/formats';
import type { EnvironmentRecord } from '../domain/environment-record.js';
import type { Task, TaskIn } from '../domain/task.js';
import type { WorkFilter } from './work-filter.js';

/** Which tasks a list holds; a member left out does not filter. */
export interface TaskFilter extends WorkFilter {
  readonly state?: TaskState;
}

/** Tasks of the transaction's tenant. Ids that are not its own are simply not there. */
export interface TaskRepository {
  insert(tx: Tx, task: Task): Promise<void>;
  find(tx: Tx, id: TaskId): Promise<Task | null>;
  /** The same, and no other transaction changes the task until this one ends. Before plan, request and run. */
  lock(tx: Tx, id: TaskId): Promise<Task | null>;
  list(tx: Tx, filter: TaskFilter, page: PageRequest): Promise<readonly Task[]>;
  /** Only along the lifecycle: the database refuses anything else. */
  setState(tx: Tx, id: TaskId, state: TaskState, at: number): Promise<void>;
}

/** The tenant's environments, as the stages read them. */
export interface EnvironmentReader {
  byName(tx: Tx, name: string): Promise<EnvironmentRecord | null>;
  byId(tx: Tx, id: EnvironmentId): Promise<EnvironmentRecord | null>;
  /** Every name, for a refusal that lists the names. */
  names(tx: Tx): Promise<readonly string[]>;
}

/** The owner of an agent. */
export interface AgentOwners {
  /** Undefined for an agent that is not the tenant's. */
  ownerOf(tx: Tx, agentId: AgentId): Promise<PersonId | null>;
}

/** The grammar of conditions, which the stage of plans owns. */
export interface ConditionGrammar {
  /** The error in the text and its position (from 0); null if the text is a condition. */
  problemOf(text: string): { readonly position: number; readonly message: string } | null;
}

/** Told within the transaction in which a task is cancelled: its dependents are cancelled with it. */
export interface TaskCancelledListener {
  taskCancelled(tx: Tx, event: TaskCancelled): Promise<void>;
}

export interface TaskCancelled {
  readonly task: TaskIn<'cancelled'>;
  readonly principal: Principal;
  readonly at: number;
}
