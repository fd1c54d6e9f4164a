import type { Argument, Finding, Inspect } from '../inspection.js';

/** Every word that a filter of `ss` may hold without a name to look up. */
const FILTER_WORDS = new Set(
  (
    'state exclude established syn-sent syn-recv fin-wait-1 fin-wait-2 time-wait closed close-wait last-ack listen listening ' +
    'closing all connected synchronized bucket big src dst sport dport and or not eq neq ne gt lt ge le = == != < > <= >= ' +
    '! & && | || ( )'
  ).split(' '),
);

/** An address, a port, or both, in numbers. */
const NUMERIC = /^(?=.*[\d:*])[\da-f.:/*[\]]+$/i;

/** A port by its name: `:https`. */
const PORT = /^:[\w-]+$/;

const looksUp = (at: Argument): Finding => ({
  kind: 'effect',
  class: 'NETWORK',
  code: 'shell.looks_up_name',
  does: 'may ask a server for a name, which can carry data out',
  at,
});

/** `ss dst example.com` looks the name up. */
export const ssFilter: Inspect = (_words, _row, { operands }) =>
  operands
    .flatMap<{ at: Argument; word: string | null }>((at) =>
      at.value === null ? [{ at, word: null }] : at.value.split(/\s+/).map((word) => ({ at, word })),
    )
    .filter(
      ({ word }) => word === null || !(word === '' || FILTER_WORDS.has(word) || NUMERIC.test(word) || PORT.test(word)),
    )
    .map(({ at }) => looksUp(at));

/** `lsof -i @host`, `fuser 80,host/tcp` and `route get host` look names up; numbers and `default` do not. */
export const noHostName: Inspect = (words, row, { operands }) => {
  if (row.names.includes('route')) {
    return operands.filter(({ value }) => value !== 'default' && (value === null || !NUMERIC.test(value))).map(looksUp);
  }
  return words.filter(({ value, prefix }) => /[@,][^@,]*[g-z]/i.test(value ?? prefix)).map(looksUp);
};
