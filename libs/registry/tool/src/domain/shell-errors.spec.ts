import type { ToolDocument } from '#lib/formats';
import { definitionText } from '../application/fake-tool.js';
import { commandLineOf } from './command-line-of.js';
import { completeDefinition } from './complete-definition.js';

const SHELL: ToolDocument = {
  description: 'Executes a command line.',
  risk: 'state_change_nonprod',
  effect: 'modify',
  idempotent: false,
  scope: 'asset',
  surface: 'terminal',
  requires_plan: false,
  simulation: 'not_applicable',
  shell: { argument: '/script/text' },
  parameters: {
    type: 'object',
    properties: {
      script: { type: 'object', properties: { text: { type: 'string' }, key: { type: 'string', writeOnly: true } } },
      words: { type: 'array', items: { type: 'string' } },
    },
  },
};
const READS: Partial<ToolDocument> = { risk: 'read_only', effect: 'read', idempotent: true };

const complete = (members: Partial<ToolDocument> = {}) => completeDefinition('shell', { ...SHELL, ...members }, '/at');

describe('a tool that takes a command line', () => {
  it('names its argument and the shell that reads it, by default an unknown one', () => {
    expect(complete()).toMatchObject({
      ok: true,
      value: { shell: { argument: '/script/text', shell: 'unknown' }, simulation: 'not_applicable' },
    });
    expect(complete({ shell: { argument: '/script/text', shell: 'zsh' } })).toMatchObject({
      value: { shell: { shell: 'zsh' } },
    });
  });

  it.each<[string, Partial<ToolDocument>, string, string]>([
    ['another surface', { surface: 'asset' }, 'tool.shell_beside_terminal', '/at/surface'],
    ['a risk that only reads', READS, 'tool.shell_contradicts_risk', '/at/risk'],
    ['a secret', { shell: { argument: '/script/key' } }, 'tool.shell_argument_not_a_string', '/at/shell/argument'],
    ['a list', { shell: { argument: '/words' } }, 'tool.shell_argument_not_a_string', '/at/shell/argument'],
    ['nothing', { shell: { argument: '/text' } }, 'tool.shell_argument_not_a_string', '/at/shell/argument'],
    [
      'production without a simulation',
      { risk: 'state_change_prod', requires_plan: true },
      'tool.simulation_needed',
      '/at/simulation',
    ],
    ['a simulation that is left out', { simulated_by: 'look' }, 'tool.simulation_needed', '/at/simulation'],
  ])('is refused with %s', (_what, members, code, pointer) => {
    expect(complete(members)).toMatchObject({ ok: false, error: [{ code, pointer }] });
  });

  it('says its command line, and none if the arguments leave it out', () => {
    const completed = complete();
    if (!completed.ok) throw new Error('refused');
    const tool = { definition: completed.value };
    const line = { shell: 'unknown', pointer: '/script/text' };
    expect(commandLineOf(tool, { script: { text: 'ls' } })).toEqual({ ...line, text: 'ls' });
    expect(commandLineOf(tool, {})).toEqual({ ...line, text: '' });
  });
});

it('leaves `shell` out of the definition of every other tool, which so keeps its digest', () => {
  const { shell: _, ...silent } = SHELL;
  const other = completeDefinition('other', { ...silent, simulation: 'required' }, '/at');
  if (!other.ok) throw new Error('refused');
  expect(definitionText(other.value)).not.toContain('"shell"');
  expect(commandLineOf({ definition: other.value }, { script: { text: 'ls' } })).toBeNull();
});
