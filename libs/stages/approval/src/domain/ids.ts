import type { Id } from '#lib/kernel';

export type ReviewId = Id<'ReviewId'>;
