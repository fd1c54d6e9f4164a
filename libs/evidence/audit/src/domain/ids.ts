import type { Id } from '#lib/kernel';

export type LogFollowerId = Id<'LogFollowerId'>;
