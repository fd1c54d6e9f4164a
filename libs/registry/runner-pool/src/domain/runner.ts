import type { PersonId } from '#lib/kernel';
import type { AdvertisedTool } from '#lib/formats';
import type { RunnerId } from './ids.js';

/** A machine of a tenant that takes the calls of one pool in some environments. Times are epoch milliseconds. */
export interface Runner {
  readonly id: RunnerId;
  /** Unique among the runners that are not revoked. */
  readonly name: string;
  readonly pool: string;
  /** The names of those that it was added for, sorted; at least one. */
  readonly environments: readonly string[];
  readonly createdAt: number;
  readonly createdBy: PersonId;
  readonly enrolledAt: number | null;
  readonly version: string | null;
  readonly tools: readonly AdvertisedTool[];
  /** The environments that its machine works in, as it says; null before it said so. */
  readonly worksIn: readonly string[] | null;
  /** The names of the programs that its operator lists for lifecycle hooks, as it says. */
  readonly hooks: readonly string[];
  /** The reason why it takes no snapshot of its whole workspace before a command line, as it says. Null if it does. */
  readonly noWayBack: string | null;
  readonly lastSeenAt: number | null;
  /** When it said that it ends; null once it calls again. */
  readonly leftAt: number | null;
  readonly revokedAt: number | null;
}

/** The state of a runner before any machine has exchanged its token. */
export const NEW_RUNNER = {
  enrolledAt: null,
  version: null,
  tools: [],
  worksIn: null,
  hooks: [],
  noWayBack: null,
  lastSeenAt: null,
  leftAt: null,
  revokedAt: null,
} satisfies Partial<Runner>;

/**
 * The environments of the calls that a runner gets, secrets included. It was added for them, and its machine works in
 * them. It would refuse the grant of any other one. It must not read the secrets of a call that it refuses.
 */
export const servedEnvironments = ({
  environments,
  worksIn,
}: Pick<Runner, 'environments' | 'worksIn'>): readonly string[] =>
  environments.filter((name) => worksIn?.includes(name) === true);

/** A runner that called within this time is online. It asks for calls every 25 seconds. */
export const ONLINE_MS = 60_000;

/** How people see a runner. `invited`: no machine has exchanged its token yet. */
export type RunnerState = 'invited' | 'online' | 'offline' | 'revoked';

export function runnerState(
  runner: Pick<Runner, 'enrolledAt' | 'lastSeenAt' | 'leftAt' | 'revokedAt'>,
  now: number,
): RunnerState {
  if (runner.revokedAt !== null) return 'revoked';
  if (runner.enrolledAt === null) return 'invited';
  if (runner.leftAt !== null) return 'offline';
  return runner.lastSeenAt !== null && now - runner.lastSeenAt < ONLINE_MS ? 'online' : 'offline';
}
