import type { Inspect } from '../inspection.js';

const READING = /^(?:print|p|free|all|list|devices|unit|[kmgt]?i?b|s|%|quit|q|help|version|\d+)$/i;

/** `parted DISK print` reads; most other commands of parted destroy partitions at once, and without a command it asks for some. */
export const parted: Inspect = (_words, _row, { operands, options }) => {
  const commands = operands.slice(1);
  const at = commands.find(({ value }) => value === null || !READING.test(value));
  if (at) {
    const does = 'may destroy partitions';
    return [{ kind: 'effect', class: 'DESTRUCTIVE', tier: 3, code: 'shell.changes_partitions', does, at }];
  }
  if (commands.length > 0 || options.some(({ name }) => /^(?:-l|--list|-h|--help|-v|--version)$/.test(name))) return [];
  const does = 'reads commands for partitions from its input';
  return [{ kind: 'effect', class: 'UNKNOWN', code: 'shell.reads_commands', does }];
};
