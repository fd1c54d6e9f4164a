import type { Argument } from './inspection.js';
import { effectAt, type Effect } from './effect.js';
import { networkEffect, writeEffect } from './judge-write.js';
import { readsOutside } from './outside-paths.js';
import { namesSecret } from './paths.js';

/** The effect of a redirection to or from a file, or null. A duplicated descriptor (`2>&1`, `>&-`) opens nothing. */
export function redirectionEffect(operator: string, target: Argument): Effect | null {
  if (operator === '<') {
    const network = networkEffect(target);
    if (network !== null) return network;
    if (!namesSecret(target)) {
      if (!readsOutside(target)) return null;
      const message = `The line reads ${target.text}, which may lie outside the workspace.`;
      return effectAt(target, 'READ_ONLY', 2, 'shell.reads_outside', message);
    }
    return effectAt(
      target,
      'READ_ONLY',
      2,
      'shell.reads_secret',
      `The line reads ${target.text}, which may hold secrets.`,
    );
  }
  const duplicates = operator === '<&' || operator === '>&';
  if (duplicates && target.value !== null && /^(?:[0-9]+-?|-)$/.test(target.value)) return null;
  return writeEffect(target, operator === '>>' || operator === '&>>' ? 'appends to' : 'writes');
}
