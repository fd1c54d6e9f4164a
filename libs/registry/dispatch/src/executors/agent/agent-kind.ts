import type { ExecutorKind } from '../executor-kind.js';
import { AgentToolDispatcher } from './agent-tool-dispatcher.js';

/** The agent that submitted the plan executes, and reports. */
export const agentKind: ExecutorKind = {
  name: 'agent',
  answeredBy: 'agent',
  dispatcher: () => new AgentToolDispatcher(),
};
