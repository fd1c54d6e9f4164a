import type { LogFollowing, Tx } from '#lib/kernel';
import type { LifecycleHook } from '../domain/lifecycle-hook.js';

/** The name under which hooks follow the log. */
export const HOOK_FOLLOWER = 'lifecycle_hook';

/** A tenant's log is followed while one of its hooks is on. */
export const settleFollowing = (tx: Tx, hooks: readonly LifecycleHook[], following: LogFollowing): Promise<void> =>
  hooks.some(({ enabled }) => enabled) ? following.begin(tx, HOOK_FOLLOWER) : following.end(tx, HOOK_FOLLOWER);
