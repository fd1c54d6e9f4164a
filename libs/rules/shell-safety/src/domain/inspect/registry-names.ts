import type { Inspect } from '../inspection.js';

/** A package of the registry, with a version, or a field of its document: `@scope/name@^1.2`, `dist-tags.latest`. */
const NAME = /^(?:@[\w.-]+\/)?[\w][\w.[\]-]*(?:@[\w.^~<>=*|+ -]*)?$/;

/** `npm view owner/name` clones a repository, and `npm view ../folder` reads one: only names of packages ask the configured registry. */
export const registryNames: Inspect = (_words, _row, { operands }) =>
  operands
    .filter(({ value }) => value === null || !NAME.test(value))
    .map((at) => ({
      kind: 'effect',
      class: 'NETWORK',
      code: 'shell.names_host',
      does: 'may fetch from another place than the registry',
      at,
    }));
