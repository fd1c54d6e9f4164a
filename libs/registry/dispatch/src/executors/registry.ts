import { agentKind } from './agent/agent-kind.js';
import type { ExecutorKind } from './executor-kind.js';
import { httpKind } from './http/http-kind.js';

/** Every kind of executor. The first is the one that a refusal suggests. */
export const EXECUTOR_KINDS: readonly ExecutorKind[] = [httpKind, agentKind];

export const executorKind = (name: string): ExecutorKind | undefined =>
  EXECUTOR_KINDS.find((kind) => kind.name === name);
