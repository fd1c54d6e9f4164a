import { outcomeOfAnswer } from '../../application/outcome-of-answer.js';
import type { RunnerCallEnd } from '../../application/runner-calls.port.js';
import { notStarted, type DispatchOutcome } from '../../application/tool-dispatcher.port.js';

/** The outcome of a call that was offered to a pool. */
export function outcomeOfRunner(end: RunnerCallEnd, pool: string): DispatchOutcome {
  switch (end.kind) {
    case 'answered':
      return outcomeOfAnswer(end.answer);
    case 'not_taken':
      return notStarted(
        'dispatch.unreachable',
        `No runner of the pool ${pool} took the call. Look whether all are busy.`,
      );
    case 'lost': {
      const message = `A runner of the pool ${pool} took the call, and was revoked or did not answer within its time limit.`;
      return { kind: 'unknown', error: { code: 'dispatch.runner_lost', message } };
    }
  }
}
