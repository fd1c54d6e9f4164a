import type { Id } from '#lib/kernel';

export type LifecycleHookId = Id<'LifecycleHookId'>;
export type HookExecutionId = Id<'HookExecutionId'>;
