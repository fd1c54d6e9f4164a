import type {
  AgentId,
  CredentialId,
  Digest,
  EnvironmentId,
  Failure,
  PersonId,
  Principal,
  Result,
  TaskId,
} from '#lib/kernel';
import { err, ok } from '#lib/kernel';
import { PLATFORM_ADMIN, type TaskSpec, type TaskState } from '#lib/formats';

/** The submitter, their credential, and the person they act for. */
export type Submitter =
  | {
      readonly kind: 'agent';
      readonly id: AgentId;
      /** From the delegation that the person issued, never the agent's own claim. */
      readonly onBehalfOf: PersonId | null;
      readonly credentialId: CredentialId;
    }
  | { readonly kind: 'person'; readonly id: PersonId; readonly onBehalfOf: null; readonly credentialId: CredentialId };

/** A task in one of these states. Its spec never changes. */
export interface TaskIn<S extends TaskState> {
  readonly id: TaskId;
  readonly environmentId: EnvironmentId;
  readonly state: S;
  readonly spec: TaskSpec;
  /** The spec as canonical JSON, as it is stored and digested. */
  readonly specText: string;
  /** Digest of `specText`, kind `task`. */
  readonly digest: Digest;
  readonly submitter: Submitter;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Something that somebody wants done. */
export type Task = { [S in TaskState]: TaskIn<S> }[TaskState];

/** The submitter that a principal is; the system submits nothing. */
export function submitterOf(principal: Principal): Result<Submitter> {
  switch (principal.kind) {
    case 'agent':
      return ok({
        kind: 'agent',
        id: principal.agentId,
        onBehalfOf: principal.onBehalfOf,
        credentialId: principal.credentialId,
      });
    case 'person':
      return ok({ kind: 'person', id: principal.personId, onBehalfOf: null, credentialId: principal.credentialId });
    case 'system':
      return err(onlySubmitters);
  }
}

/**
 * Whether a principal may change a task: revise its plan, have it simulated, cancel it. The agent or person that
 * submitted it may, and the person the agent acts for. So may the agent's accountable owner, and a PlatformAdmin.
 * Anybody can issue any agent a delegation, so a delegation opens only tasks that were submitted for the same person. A
 * person or agent that changes a task is thereby excluded from reviewing it.
 *
 * @param ownerId the accountable person of the agent that submitted the task; null if a person did.
 */
export function mayChangeTask(
  principal: Principal,
  task: Pick<Task, 'submitter'>,
  ownerId: PersonId | null,
): Result<void> {
  const allowed =
    principal.kind === 'agent'
      ? task.submitter.kind === 'agent' &&
        task.submitter.id === principal.agentId &&
        (principal.onBehalfOf === null || principal.onBehalfOf === task.submitter.onBehalfOf)
      : principal.kind === 'person' &&
        (task.submitter.id === principal.personId ||
          task.submitter.onBehalfOf === principal.personId ||
          ownerId === principal.personId ||
          principal.roles.some((held) => held.role === PLATFORM_ADMIN));
  return allowed ? ok(undefined) : err(notYours);
}

const onlySubmitters: Failure = {
  kind: 'forbidden',
  code: 'task.submitter_required',
  message: 'Only an agent or a person submits.',
  action: "Use an agent's or a person's credential.",
};

const notYours: Failure = {
  kind: 'forbidden',
  code: 'task.not_yours',
  message: 'This task was submitted by somebody else.',
  action: `Ask its submitter, the person it acts for, the accountable owner of its agent, or a ${PLATFORM_ADMIN}.`,
};
