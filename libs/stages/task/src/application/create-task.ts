import { canonicalJson, type Json } from '#lib/canonical';
import type { TaskSpec } from '#lib/formats';
import {
  actorOf,
  type AuditSink,
  digestText,
  err,
  type Failure,
  maskSecretText,
  newId,
  ok,
  type Principal,
  type Result,
  type TaskId,
  type UnitOfWork,
} from '#lib/kernel';
import { closest } from '#lib/words';
import { submitterOf, type Task } from '../domain/task.js';
import type { ConditionGrammar, EnvironmentReader, TaskRepository } from './task.ports.js';

/** Takes a task in. */
export class CreateTask {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tasks: TaskRepository,
    private readonly environments: EnvironmentReader,
    private readonly conditions: ConditionGrammar,
    private readonly audit: AuditSink,
  ) {}

  /** The created task, or `task.unknown_environment`, `task.bad_rollback_trigger`, `task.submitter_required`. */
  async execute(principal: Principal, wanted: TaskSpec): Promise<Result<Task>> {
    const submitter = submitterOf(principal);
    if (!submitter.ok) return submitter;
    // Masked before the digest: a later mask would make another document than the one on record.
    const spec = { ...wanted, goal: maskSecretText(wanted.goal) };
    const trigger = spec.constraints?.rollback_trigger;
    const problem = trigger === undefined ? null : this.conditions.problemOf(trigger);
    if (problem !== null) return err(badTrigger(problem));
    // A schema read it from JSON.
    const specText = canonicalJson(spec as Json);
    return this.uow.run(principal.tenantId, async (tx) => {
      const environment = await this.environments.byName(tx, spec.environment);
      if (environment === null) return err(unknownEnvironment(spec.environment, await this.environments.names(tx)));
      const now = await tx.now();
      const task: Task = {
        id: newId<TaskId>(),
        environmentId: environment.id,
        state: 'created',
        spec,
        specText,
        digest: digestText('task', specText),
        submitter: submitter.value,
        createdAt: now,
        updatedAt: now,
      };
      await this.tasks.insert(tx, task);
      await this.audit.record(tx, {
        action: 'task.created',
        actor: actorOf(principal),
        level: 'detailed',
        subject: { type: 'task', id: task.id },
        within: [{ type: 'task', id: task.id }],
        payload: {
          task_digest: task.digest,
          environment: environment.name,
          task_type: spec.task_type,
          goal: spec.goal,
        },
        evidence: [{ kind: 'task', id: task.id, digest: task.digest }],
      });
      return ok(task);
    });
  }
}

const badTrigger = ({ position, message }: { readonly position: number; readonly message: string }): Failure => ({
  kind: 'unprocessable',
  code: 'task.bad_rollback_trigger',
  message: 'The rollback trigger cannot be read.',
  action: 'Write a condition over metrics, for example: web.error_rate > 0.05 or web.unhealthy >= 1',
  errors: [
    {
      pointer: '/constraints/rollback_trigger',
      code: 'task.bad_rollback_trigger',
      message: `At position ${String(position + 1)}: ${message}.`,
    },
  ],
});

function unknownEnvironment(name: string, names: readonly string[]): Failure {
  const meant = closest(name, names);
  return {
    kind: 'unprocessable',
    code: 'task.unknown_environment',
    message: `There is no environment "${name}".`,
    action: names.length === 0 ? 'Ask an admin to create one.' : `Name one of: ${names.join(', ')}.`,
    errors: [
      {
        pointer: '/environment',
        code: 'task.unknown_environment',
        message: `There is no environment "${name}".`,
        ...(meant === undefined ? {} : { suggestion: meant }),
      },
    ],
  };
}
