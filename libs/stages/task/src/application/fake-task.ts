import { canonicalJson, type Json } from '#lib/canonical';
import { type TaskSpec, taskSpecSchema } from '#lib/formats';
import { digestText, newId, type Principal, type TaskId } from '#lib/kernel';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { submitterOf, type Task } from '../domain/task.js';

/** A task as CreateTask would make it, of the tenant's agent. */
export function sampleTask(
  tenant: SampleTenant,
  {
    by = tenant.agent,
    spec: wanted = {},
    ...members
  }: Partial<Omit<Task, 'spec'>> & { readonly by?: Principal; readonly spec?: Partial<TaskSpec> } = {},
): Task {
  const spec = taskSpecSchema.parse({
    goal: 'Remediate drift on 47 production web servers',
    task_type: 'drift_remediation',
    environment: tenant.production.name,
    ...wanted,
  });
  const submitter = submitterOf(by);
  if (!submitter.ok) throw new Error(submitter.error.code);
  const specText = canonicalJson(spec as Json);
  const createdAt = members.createdAt ?? Date.UTC(2026, 0, 5, 8);
  return {
    id: newId<TaskId>(),
    environmentId: tenant.production.id,
    state: 'created',
    spec,
    specText,
    digest: digestText('task', specText),
    submitter: submitter.value,
    createdAt,
    updatedAt: createdAt,
    ...members,
  };
}
