import { setTimeout as delay } from 'node:timers/promises';
import { toolServer, type ReceivedCall } from './tool-server.js';

/** A tool server of rollouts, which take a while. */
export interface RolloutToolServer {
  readonly port: number;
  /** How often the call with each idempotency key was executed. */
  readonly executed: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * @param rolloutMs how long a rollout takes.
 * @param verify rejects a call that gets no answer and is not executed.
 */
export async function rolloutToolServer(
  rolloutMs: number,
  verify: (call: ReceivedCall) => Promise<unknown> = () => Promise.resolve(),
): Promise<RolloutToolServer> {
  const executed = new Map<string, number>();
  const server = await toolServer({
    before: async (call) => {
      await verify(call);
      if (call.tool === 'execute_rollout_prod') {
        executed.set(call.key, (executed.get(call.key) ?? 0) + 1);
        await delay(rolloutMs);
      }
      return true;
    },
    result: ({ tool, arguments: { targets } }) =>
      tool === 'query_alerts'
        ? { metrics: { error_rate: 0 } }
        : {
            affected_assets: Array.isArray(targets) ? targets.length : 0,
            estimated_duration_minutes: 1,
            predicted_risk: 'medium',
            health_check_points: ['error rate'],
            details: null,
          },
  });
  return { port: Number(new URL(server.url).port), executed, close: () => server.close() };
}
