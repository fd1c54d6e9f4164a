import type { PoolReach } from '../../application/runner-calls.port.js';

/**
 * The reason why no runner of a pool can take a call, and the next thing to do. It is for people and for the agent that
 * made the call.
 */
export function poolUnreachable(reach: Exclude<PoolReach, 'online'>, pool: string, environment: string): string {
  switch (reach) {
    case 'none':
      return `The pool ${pool} has no runner for ${environment}. Add one with \`countersign runner add\`, then try again.`;
    case 'offline':
      return `No runner of the pool ${pool} for ${environment} is online. Start one, then try again.`;
    case 'elsewhere':
      return `The runners of the pool ${pool} do not work in ${environment}. Name it in COUNTERSIGN_RUNNER_ENVIRONMENTS of one, start that again, then try again.`;
  }
}
