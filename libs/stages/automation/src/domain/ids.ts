import type { Id } from '#lib/kernel';

export type AutomationId = Id<'AutomationId'>;
export type SafeToolId = Id<'SafeToolId'>;
