import type { Behaviour, Options, ProgramRow } from '../program-row.js';

/** A row of a program that reads its options with Go's pflag. A long option without a value may have one: `--watch=false`. */
export function pflag(row: ProgramRow): ProgramRow {
  const { subcommands = {} } = row;
  const adapted = Object.entries(subcommands).map(([name, behaviour]) => [name, withBooleans(behaviour)] as const);
  return { ...withBooleans(row), style: 'gnu', subcommands: Object.fromEntries(adapted) };
}

function withBooleans<T extends Behaviour>(behaviour: T): T {
  return behaviour.options ? { ...behaviour, options: booleans(behaviour.options) } : behaviour;
}

function booleans(options: Options): Options {
  const plain = (options.plain ?? '').split(' ').filter(Boolean);
  const long = plain.filter((name) => name.startsWith('--'));
  return {
    ...options,
    plain: plain.filter((name) => !name.startsWith('--')).join(' '),
    optional: [options.optional ?? '', ...long].filter(Boolean).join(' '),
  };
}
