import type { JobName, JobPayloads, TenantId } from '#lib/kernel';

/** A row that one of the cross-tenant lookups names; the work on it is then done inside its tenant. */
export interface TenantRow {
  readonly tenantId: TenantId;
  readonly id: string;
}

/**
 * Calls the few SECURITY DEFINER functions that look across tenants (token lookup, due work, sequencing). They return
 * `(tenant_id, id)` and nothing else.
 */
export interface SystemQuery {
  call(functionName: string, ...parameters: readonly unknown[]): Promise<readonly TenantRow[]>;
  /**
   * Calls a function that finds its tenant by one of those and then reads in that tenant, with the rights of the service
   * and under row-level security: one statement where a lookup and a transaction would be four.
   */
  read<Row>(functionName: string, ...parameters: readonly unknown[]): Promise<readonly Row[]>;
}

/** What waits in one queue. */
export interface JobBacklog {
  readonly queue: string;
  /** Jobs that could be worked on now. */
  readonly waiting: number;
  /** How long the oldest of them has waited. */
  readonly oldestSeconds: number;
}

/** Does one kind of background work. Called at least once for a job, and for hints that may be wrong or outdated. */
export type JobHandler<Name extends JobName> = (tenantId: TenantId, payload: JobPayloads[Name]) => Promise<void>;

/** Takes jobs and hands them to their handlers. Register every handler before `start`. */
export interface JobWorker {
  register<Name extends JobName>(name: Name, handler: JobHandler<Name>): void;
  start(): Promise<void>;
  /** Lets running handlers finish, for a bounded time. */
  stop(): Promise<void>;
}
