import type { Tx } from '#lib/kernel';
import type { KeptAnswer, KeptAnswers, SentCallName } from '../../application/kept-answers.port.js';
import type { RunnerCalls } from '../../application/runner-calls.port.js';
import { outcomeOfRunner } from './outcome-of-runner.js';

/** The answers of runners, those of MCP servers on them among these. They are kept without secrets. */
export class KeptRunnerAnswers implements KeptAnswers {
  constructor(private readonly calls: Pick<RunnerCalls, 'standing'>) {}

  async of(tx: Tx, call: SentCallName): Promise<KeptAnswer | null> {
    const found = await this.calls.standing(tx, call);
    if (found === null) return null;
    const { pool, standing } = found;
    return standing.kind === 'open' ? { kind: 'under_way', until: standing.until } : outcomeOfRunner(standing, pool);
  }
}
