import type { HookExecutionView, LifecycleHooksView, LifecycleHookView } from '#lib/api-schemas';
import { toTimestamp } from '#lib/kernel';
import {
  documentOf,
  revisionOf,
  yamlOf,
  type HookExecution,
  type HooksSeen,
  type LifecycleHook,
} from '#lib/lifecycle-hook';
import { etagOf } from '../http/index.js';

export const hookExecutionView = (execution: HookExecution): HookExecutionView => {
  const { id, hook, event, entryId, kind, call, pool, environment, state, attempts, exitStatus, output, fault } =
    execution;
  return {
    ...{ id, hook, event, kind, call, pool, environment, state, attempts, output, fault },
    entry_id: entryId,
    exit_status: exitStatus,
    created_at: toTimestamp(execution.createdAt),
    settled_at: execution.settledAt === null ? null : toTimestamp(execution.settledAt),
  };
};

export const lifecycleHookView = (hook: LifecycleHook, latest: HookExecution | null): LifecycleHookView => ({
  ...documentOf(hook),
  created_by: hook.createdBy,
  created_at: toTimestamp(hook.createdAt),
  latest: latest && hookExecutionView(latest),
});

export const lifecycleHooksView = ({ hooks, latest }: HooksSeen): LifecycleHooksView => ({
  source: yamlOf(hooks),
  items: hooks.map((hook) => lifecycleHookView(hook, latest.get(hook.id) ?? null)),
  etag: etagOf(revisionOf(hooks)),
});
