import { LIFTING_ROLES } from '#lib/formats';
import {
  err,
  ok,
  type Actor,
  type AgentId,
  type EnvironmentId,
  type HaltId,
  type PersonPrincipal,
  type Principal,
  type Result,
} from '#lib/kernel';

/** The thing that a halt stops. A tool is stopped in all its versions. */
export type HaltTarget =
  | { readonly kind: 'tenant' }
  | { readonly kind: 'environment'; readonly environmentId: EnvironmentId; readonly environment: string }
  | { readonly kind: 'agent'; readonly agentId: AgentId }
  | { readonly kind: 'tool'; readonly tool: string };

/** A call that had left before a halt; its run, or the single call, shows whether it took effect. Stored, and spelt so. */
export type InFlightCall = {
  readonly attempt: number;
  readonly tool: string;
  readonly targets: readonly string[];
  /** RFC 3339. */
  readonly dispatched_at: string;
  /** The attempt's state when the halt was set. */
  readonly state: string;
} & ({ readonly run_id: string; readonly step_id: string } | { readonly tool_call_id: string });

/** The effect of a halt at the moment it was set. */
export interface HaltEffect {
  readonly pausedRuns: readonly string[];
  /** How many unredeemed grants it revoked. */
  readonly revokedGrants: number;
  /** The single calls that were allowed and had not left. */
  readonly deniedCalls: readonly string[];
  readonly inFlight: readonly InFlightCall[];
}

/** A stop that holds until a person lifts it. Times are epoch milliseconds. */
export interface Halt {
  readonly id: HaltId;
  readonly target: HaltTarget;
  readonly reason: string;
  readonly effect: HaltEffect;
  readonly createdAt: number;
  readonly createdBy: Actor;
  readonly lifted: { readonly at: number; readonly by: Actor; readonly note: string } | null;
}

export interface LiftedHalt extends Halt {
  readonly lifted: NonNullable<Halt['lifted']>;
}

/** The facts of a decision that halts are matched with. */
export interface HaltScope {
  readonly environmentId: EnvironmentId;
  /** The agents that asked. */
  readonly agentIds: readonly AgentId[];
  /** The tools that it would call. */
  readonly tools: readonly string[];
}

/**
 * Decides whether a principal may set a halt. A person with the scope halts anything. An agent halts only itself, with all
 * its runs: otherwise one agent could stop all work (T63).
 *
 * @returns `halt.own_work_only`.
 */
export function decideMayHalt(
  by: Principal,
  target: { readonly kind: HaltTarget['kind']; readonly agent_id?: string },
): Result<void> {
  if (by.kind !== 'agent' || (target.kind === 'agent' && target.agent_id === by.agentId)) return ok(undefined);
  return err({
    kind: 'forbidden',
    code: 'halt.own_work_only',
    message: 'An agent halts only itself, with all its runs.',
    action: `Halt the agent ${by.agentId}. For more, ask a person of the tenant: anybody with the scope halt may.`,
  });
}

/**
 * Lifts a halt.
 *
 * @returns `halt.already_lifted`, or `halt.role_missing` for a person without one of {@link LIFTING_ROLES}.
 */
export function decideLift(
  halt: Halt,
  by: PersonPrincipal,
  actor: Actor,
  note: string,
  now: number,
): Result<LiftedHalt> {
  if (!by.roles.some(({ role }) => LIFTING_ROLES.some((lifting) => lifting === role))) {
    return err({
      kind: 'forbidden',
      code: 'halt.role_missing',
      message: `Only ${LIFTING_ROLES.join(' or ')} lifts a halt.`,
      action: 'Ask somebody who holds the role.',
    });
  }
  if (halt.lifted !== null) {
    return err({
      kind: 'conflict',
      code: 'halt.already_lifted',
      message: 'This halt is lifted already.',
      action: 'Nothing is to be done; look for other halts if something still stands still.',
    });
  }
  return ok({ ...halt, lifted: { at: now, by: actor, note } });
}
