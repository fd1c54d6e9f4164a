import type { Finding, Inspect } from '../inspection.js';

/**
 * Verbs of iproute2 that only read, as short as they can be without doubt. `s` is too short: `ip link s` is `ip link set`,
 * though `ip addr s` is `ip addr show`.
 */
const READING_VERBS = new Set('sh sho show l li lis list ls lst g get help identify pids'.split(' '));

/** `ip monitor` only watches; its operands are no verbs. */
const MONITOR = 'monitor';

/** `ip xfrm` lists keys. */
const GUARDED = 'x';

/** Reads objects and verbs: `ip addr` lists, `ip addr add` changes, `ip netns exec` executes. */
export const iproute: Inspect = (_words, _row, { operands }) => {
  const [object, verb, ...rest] = operands;
  if (!object || object.value === MONITOR) return [];
  const effect = (at: typeof object, does: string): Finding => ({
    kind: 'effect',
    class: 'WRITE',
    code: 'shell.changes_network',
    does,
    at,
  });
  if (object.value === null) return [effect(object, 'may change network settings')];
  if (object.value.startsWith(GUARDED)) return [effect(object, 'shows or changes keys')];
  if (!verb) return [];
  if (verb.value !== null && 'exec'.startsWith(verb.value)) {
    return [effect(verb, 'executes a command in another network'), { kind: 'command', words: rest.slice(1) }];
  }
  return verb.value !== null && READING_VERBS.has(verb.value) ? [] : [effect(verb, 'changes network settings')];
};
