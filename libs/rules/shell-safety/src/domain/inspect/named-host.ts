import type { Argument, Finding, Inspect } from '../inspection.js';

/** `https://host`, also behind an option or a prefix (`--repo=`, `oci::`), and `user@host:path`. */
const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/|^[^/\s=]+@[^/\s:]+:/i;

/** `github.example/owner/repository`: three parts, as forges' command lines read them. */
const REPOSITORY_WITH_HOST = /^[^/\s]+\/[^/\s]+\/[^/\s]+$/;

const is = (form: RegExp, word: Argument): boolean => word.patterns.some((pattern) => form.test(pattern));

const connects = (at: Argument): Finding => ({
  kind: 'effect',
  class: 'NETWORK',
  code: 'shell.names_host',
  does: 'may connect to a host that the command names',
  at,
});

/** For programs that reach their configured server, unless a word gives the address of another one. `file://` counts too. */
export const namedHost: Inspect = (words) => words.filter((word) => is(ADDRESS, word)).map(connects);

/** As `namedHost`, for `gh` and `glab`: their repository may begin with a host. */
export const namedRepositoryHost: Inspect = (words, row, call) => [
  ...namedHost(words, row, call),
  ...call.options.flatMap(({ name, value }) =>
    (name === '-R' || name === '--repo') && value && is(REPOSITORY_WITH_HOST, value) ? [connects(value)] : [],
  ),
  ...call.operands.filter((operand) => is(REPOSITORY_WITH_HOST, operand)).map(connects),
];
