import type { TenantId } from '#lib/kernel';
import type {
  PoolMcpServer,
  PoolReach,
  RunnerCall,
  RunnerCallEnd,
  RunnerCalls,
  StandingRunnerCall,
} from './runner-calls.port.js';

/** A pool with one runner, or none. Keeps the calls, and ends them as the test says. */
export class FakeRunnerCalls implements RunnerCalls {
  readonly calls: RunnerCall[] = [];
  /** By name, the MCP servers that its runners advertise. */
  readonly mcpServers = new Map<string, PoolMcpServer['onRunners']>();
  pool: PoolReach = 'online';
  /** A call that a process before has offered. */
  offered: StandingRunnerCall | null = null;
  end: RunnerCallEnd = { kind: 'answered', answer: { ok: true, result: {} } };

  reach(): Promise<PoolReach> {
    return Promise.resolve(this.pool);
  }

  mcpServer(_tenant: TenantId, _pool: string, _environment: string, server: string): Promise<PoolMcpServer> {
    return Promise.resolve({ reach: this.pool, onRunners: this.mcpServers.get(server) ?? [] });
  }

  carryOut(call: RunnerCall): Promise<RunnerCallEnd> {
    this.calls.push(call);
    return Promise.resolve(this.end);
  }

  standing(): Promise<StandingRunnerCall | null> {
    return Promise.resolve(this.offered);
  }
}
