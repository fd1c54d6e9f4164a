import type { Id } from '#lib/kernel';

export type SessionTrustId = Id<'SessionTrustId'>;
