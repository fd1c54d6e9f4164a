import type { PoolReach, RunnerCall, RunnerCallEnd, RunnerCalls, StandingRunnerCall } from './runner-calls.port.js';

/** A pool with one runner, or none. Keeps the calls, and ends them as the test says. */
export class FakeRunnerCalls implements RunnerCalls {
  readonly calls: RunnerCall[] = [];
  pool: PoolReach = 'online';
  /** A call that a process before has offered. */
  offered: StandingRunnerCall | null = null;
  end: RunnerCallEnd = { kind: 'answered', answer: { ok: true, result: {} } };

  reach(): Promise<PoolReach> {
    return Promise.resolve(this.pool);
  }

  carryOut(call: RunnerCall): Promise<RunnerCallEnd> {
    this.calls.push(call);
    return Promise.resolve(this.end);
  }

  standing(): Promise<StandingRunnerCall | null> {
    return Promise.resolve(this.offered);
  }
}
