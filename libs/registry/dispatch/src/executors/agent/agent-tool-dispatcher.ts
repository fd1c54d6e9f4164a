import type { Dispatched, ToolDispatcher } from '../../application/tool-dispatcher.port.js';

/** Sends nothing: the agent fetches the call with its grant, and its report is the answer. */
export class AgentToolDispatcher implements ToolDispatcher {
  dispatch(): Promise<Dispatched> {
    return Promise.resolve({ kind: 'offered' });
  }
}
