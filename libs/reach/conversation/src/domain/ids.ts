import type { Id } from '#lib/kernel';

export type CommentId = Id<'CommentId'>;
