import { outcomeOfAnswer } from '../../application/outcome-of-answer.js';
import type { RunnerCallEnd } from '../../application/runner-calls.port.js';
import { NOT_TAKEN, notStarted, type DispatchOutcome } from '../../application/tool-dispatcher.port.js';

/** The outcome of a call that was offered to a pool. */
export function outcomeOfRunner(end: RunnerCallEnd, pool: string): DispatchOutcome {
  switch (end.kind) {
    case 'answered':
      return outcomeOfAnswer(end.answer);
    case 'not_taken':
      return notStarted(
        NOT_TAKEN,
        `No runner of the pool ${pool} took the call in time. Look whether all are offline or busy, then try again.`,
      );
    case 'lost': {
      const { name, revoked } = end.runner;
      const course = revoked ? 'was revoked before it answered' : 'did not answer within its time limit';
      const message = `The runner ${name} of the pool ${pool} took the call, and ${course}.`;
      return { kind: 'unknown', error: { code: 'dispatch.runner_lost', message } };
    }
  }
}
