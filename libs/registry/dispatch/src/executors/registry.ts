import { agentKind } from './agent/agent-kind.js';
import { kindNamed, type ExecutorKind, type ExecutorKinds } from './executor-kind.js';
import { httpKind } from './http/http-kind.js';

/** Every kind of executor. The first is the one that a refusal suggests. */
export const EXECUTOR_KINDS: ExecutorKinds = [httpKind, agentKind];

export const executorKind = (name: string): ExecutorKind | undefined => kindNamed(EXECUTOR_KINDS, name);
