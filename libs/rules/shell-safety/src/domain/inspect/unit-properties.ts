import type { Inspect } from '../inspection.js';

const PROPERTIES: ReadonlySet<string> = new Set(['-p', '-P', '--property']);

/** Everything about a unit holds the variables of its environment. `-p` chooses properties, and only literal names show which. */
export const unitProperties: Inspect = (_words, _row, { options }) => {
  const chosen = options.filter(({ name }) => PROPERTIES.has(name)).map(({ value }) => value?.value ?? null);
  const harmless = chosen.every((names) => names?.split(',').every((name) => name.trim() !== 'Environment') === true);
  if (chosen.length > 0 && harmless) return [];
  return [
    {
      kind: 'effect',
      class: 'READ_ONLY',
      tier: 2,
      code: 'shell.reads_secret',
      does: 'shows environment variables, which may hold secrets; -p ActiveState shows one property',
    },
  ];
};
