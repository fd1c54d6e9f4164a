import { agentKind } from './agent/agent-kind.js';
import type { ExecutorKinds } from './executor-kind.js';
import { httpKind } from './http/http-kind.js';
import { mcpKind } from './mcp/mcp-kind.js';
import { runnerKind } from './runner/runner-kind.js';

/**
 * The kinds of executor of an installation, which hands them to its libraries. The first is the one that a refusal suggests, and that the pages and the
 * command line offer first.
 */
export const EXECUTOR_KINDS: ExecutorKinds = [httpKind, agentKind, runnerKind, mcpKind];
