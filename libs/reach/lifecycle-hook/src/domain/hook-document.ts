import type { HookSettings } from './lifecycle-hook.js';

/** The members of a hook as its document spells them. */
export const documentOf = ({ name, event, matcher, action, enabled }: HookSettings) => ({
  name,
  event,
  matcher,
  action:
    action.type === 'log'
      ? action
      : {
          type: action.type,
          command: [action.program, ...action.arguments],
          variables: action.variables,
          runner: { pool: action.pool, environment: action.environment },
          timeout_seconds: action.timeoutSeconds,
        },
  enabled,
});
