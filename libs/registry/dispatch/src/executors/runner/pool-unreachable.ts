import type { PoolReach } from '../../application/runner-calls.port.js';

/** Why no runner of a pool can take a call, for the person who resumes it. */
export function poolUnreachable(reach: Exclude<PoolReach, 'online'>, pool: string, environment: string): string {
  switch (reach) {
    case 'none':
      return `The pool ${pool} has no runner for ${environment}. Add one with \`countersign runner add\`, then resume.`;
    case 'offline':
      return `No runner of the pool ${pool} for ${environment} is online. Start one, then resume.`;
    case 'elsewhere':
      return `The runners of the pool ${pool} that are online do not work in ${environment}. Name it in COUNTERSIGN_RUNNER_ENVIRONMENTS of one, start that again, then resume.`;
  }
}
