import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { canonicalJson } from '#lib/canonical';
import type { HookSettings } from './lifecycle-hook.js';

/** The members of a hook as its document spells them. */
export const documentOf = ({ name, event, matcher, action, enabled }: HookSettings) => ({
  name,
  event,
  matcher,
  action:
    action.type === 'log'
      ? { type: action.type, message: action.message }
      : {
          type: action.type,
          command: [action.program, ...action.arguments],
          variables: { ...action.variables },
          runner: { pool: action.pool, environment: action.environment },
          timeout_seconds: action.timeoutSeconds,
        },
  enabled,
});

/** The document of hooks, as YAML. */
export const yamlOf = (hooks: readonly HookSettings[]): string =>
  stringify({ hooks: hooks.map(documentOf) }, { lineWidth: 0 });

/** SHA-256 of the document, in hex: the same until a hook changes. A change names it, so that it replaces no later one. */
export const revisionOf = (hooks: readonly HookSettings[]): string =>
  createHash('sha256')
    .update(canonicalJson(hooks.map(documentOf)), 'utf8')
    .digest('hex');
