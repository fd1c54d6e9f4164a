import { describeToolDispatcher } from '../../application/tool-dispatcher.contract.js';
import { ExecutorDispatcher } from '../executor-dispatcher.js';
import { agentKind } from './agent-kind.js';

const unused = (): never => {
  throw new Error('A call that is offered needs no way out.');
};

describeToolDispatcher('agentKind', agentKind, () =>
  Promise.resolve({
    dispatcher: new ExecutorDispatcher([agentKind], {
      issueGrant: { execute: unused },
      secrets: { resolveAll: unused },
      agents: { agentFor: unused },
      runnerCalls: { reach: unused, mcpServer: unused, carryOut: unused, standing: unused },
    }),
    executor: { url: null },
    answers: () => undefined,
    close: () => Promise.resolve(),
  }),
);
