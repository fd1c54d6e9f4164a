import { z } from 'zod';
import { err, ok } from '#lib/kernel';
import type { ExecutorKind } from '../executor-kind.js';
import { AgentToolDispatcher } from './agent-tool-dispatcher.js';

/** The agent that submitted the plan executes, and reports. */
export const agentKind: ExecutorKind = {
  name: 'agent',
  title: 'the agent itself, which reports what it did',
  answeredBy: 'agent',
  settings: z.strictObject({}),
  read: ({ url, secret }) =>
    url === undefined && (secret ?? null) === null
      ? ok({ url: null, secret: null })
      : err([
          {
            pointer: url === undefined ? '/secret' : '/url',
            code: 'executor.not_for_an_agent',
            message: 'An agent executes and reports by itself: it has neither an address nor a secret.',
          },
        ]),
  workspacePool: () => null,
  destination: () => 'the agents themselves',
  dispatcher: () => new AgentToolDispatcher(),
};
