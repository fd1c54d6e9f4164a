import { COMMAND_TABLE, FAMILIES } from './command-table.js';
import { INSPECTIONS } from './inspections.js';
import { OptionIndex } from './option-index.js';
import type { Behaviour, ProgramRow } from './program-row.js';

const rows = FAMILIES.flat();
const behavioursOf = (row: ProgramRow): Behaviour[] => [row, ...Object.values(row.subcommands ?? {})];

describe('the command table', () => {
  it('has each program once', () => {
    const names = rows.flatMap((row) => row.names);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(COMMAND_TABLE.size).toBe(names.length);
  });

  it('names only inspections that exist', () => {
    const named = rows.flatMap(behavioursOf).flatMap(({ inspect }) => inspect ?? []);
    expect(named.filter((name) => !INSPECTIONS.has(name))).toEqual([]);
  });

  it('uses every inspection', () => {
    const named = new Set(rows.flatMap(behavioursOf).map(({ inspect }) => inspect));
    expect([...INSPECTIONS.keys()].filter((name) => !named.has(name))).toEqual([]);
  });

  it('gives each option of a program one effect', () => {
    const twice = rows.flatMap((row) =>
      behavioursOf(row).flatMap(({ options = {} }) => {
        const names = Object.values(options).flatMap((list: string) => list.split(' ').filter((name) => name !== ''));
        return names
          .filter((name, index) => names.indexOf(name) !== index)
          .map((name) => `${row.names[0] ?? ''} ${name}`);
      }),
    );
    expect(twice).toEqual([]);
  });

  it('spells options with their dashes, but for key=value words', () => {
    const bare = rows
      .filter(({ style }) => style !== 'assignments')
      .flatMap((row) => behavioursOf(row).flatMap(({ options = {} }) => Object.values(options) as string[]))
      .flatMap((list) => list.split(' ').filter((name) => name !== '' && !/^[-+@]/.test(name)));
    expect(bare).toEqual([]);
  });

  it('never makes a program Tier 1 that does more than read', () => {
    const wrong = rows
      .flatMap(behavioursOf)
      .filter(({ class: shellClass, tier }) => shellClass !== 'READ_ONLY' && tier === 1);
    expect(wrong).toEqual([]);
  });

  it('completes a sentence with each description', () => {
    const wrong = rows.flatMap(behavioursOf).filter(({ does }) => !/^[a-z].*[^.\s]$/.test(does));
    expect(wrong.map(({ does }) => does)).toEqual([]);
  });

  it('counts an option as harmful if it is listed so', () => {
    expect(new OptionIndex({ plain: '-a', value: '-b' }).harmful).toBe(false);
    expect(new OptionIndex({ plain: '-a', executes: '-b' }).harmful).toBe(true);
  });
});
