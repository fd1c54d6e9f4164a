import { z } from 'zod';
import { slugSchema } from '#lib/formats';
import { err, ok } from '#lib/kernel';
import type { ExecutorKind } from '../executor-kind.js';
import { KeptRunnerAnswers } from './kept-runner-answers.js';
import { RunnerToolDispatcher } from './runner-tool-dispatcher.js';

/** Runners of a pool, in the tenant's own network, which fetch their calls. */
export const runnerKind: ExecutorKind = {
  name: 'runner',
  title: 'runners of a pool, in your own network, which fetch their calls',
  answeredBy: 'executor',
  settings: z.strictObject({
    pool: slugSchema.meta({ title: 'Pool', description: 'The pool of the runners that carry its calls out.' }),
  }),
  read: ({ url, secret }) =>
    url === undefined && (secret ?? null) === null
      ? ok({ url: null, secret: null })
      : err([
          {
            pointer: url === undefined ? '/secret' : '/url',
            code: 'executor.not_for_a_runner',
            message:
              'Runners connect to Countersign with keys of their own: name their pool, and no address or secret.',
          },
        ]),
  workspacePool: ({ pool }) => (typeof pool === 'string' ? pool : null),
  destination: ({ settings: { pool } }) => `runners of the pool ${String(pool)}`,
  dispatcher: ({ issueGrant, secrets, runnerCalls }) => new RunnerToolDispatcher(issueGrant, secrets, runnerCalls),
  keptAnswers: ({ runnerCalls }) => new KeptRunnerAnswers(runnerCalls),
};
