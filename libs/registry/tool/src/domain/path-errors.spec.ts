import type { ToolDocument } from '#lib/formats';
import { definitionText } from '../application/fake-tool.js';
import { completeDefinition } from './complete-definition.js';
import { pathsOf } from './paths-of.js';

const path = { type: 'string', format: 'workspace-path' };
const MOVE: ToolDocument = {
  description: 'Moves files.',
  risk: 'state_change_nonprod',
  effect: 'modify',
  idempotent: true,
  scope: 'asset',
  surface: 'workspace',
  parameters: {
    type: 'object',
    properties: {
      from: { type: 'array', items: path },
      'to/there': { type: 'object', properties: { name: path } },
      key: { type: 'string', writeOnly: true },
      keys: { type: 'array', items: { type: 'string', writeOnly: true } },
      count: { type: 'integer' },
    },
  },
  path_arguments: { writes: ['/from', '/to~1there/name'] },
};
const READS: Partial<ToolDocument> = { risk: 'read_only', effect: 'read' };

const complete = (members: Partial<ToolDocument> = {}) => completeDefinition('move', { ...MOVE, ...members }, '/at');

describe('a tool that names paths', () => {
  it('has its pointers in the definition, and an absent kind as an empty list', () => {
    expect(complete()).toMatchObject({
      ok: true,
      value: { path_arguments: { reads: [], writes: ['/from', '/to~1there/name'] } },
    });
  });

  it('names every element of an array, and nothing that the arguments leave out', () => {
    const completed = complete();
    if (!completed.ok) throw new Error('refused');
    const tool = { definition: completed.value };
    expect(pathsOf(tool, { from: ['a', 'b'], 'to/there': { name: 'c' } })).toEqual({
      reads: [],
      writes: ['a', 'b', 'c'],
    });
    expect(pathsOf(tool, {})).toEqual({ reads: [], writes: [] });
  });

  it.each<[string, Partial<ToolDocument>, readonly (readonly [string, string])[]]>([
    [
      'a secret, a list of them, a number and nothing',
      { path_arguments: { reads: ['/key', '/keys', '/count', '/none'], writes: ['/from', '/to~1there/name'] } },
      [0, 1, 2, 3].map((at) => ['tool.path_argument_not_a_path', `/at/path_arguments/reads/${String(at)}`] as const),
    ],
    ['writes of a tool that reads', READS, [['tool.paths_contradict_risk', '/at/path_arguments/writes']]],
    [
      'a path of its parameters left out',
      { path_arguments: { writes: ['/from'] } },
      [['tool.paths_not_declared', '/at/path_arguments']],
    ],
    [
      'no path',
      { path_arguments: {} },
      [
        ['tool.paths_not_declared', '/at/path_arguments'],
        ['tool.paths_not_declared', '/at/path_arguments'],
      ],
    ],
    [
      'a command line beside',
      { surface: 'terminal', simulation: 'not_applicable', shell: { argument: '/to~1there/name' } },
      [['tool.paths_beside_shell', '/at/path_arguments']],
    ],
  ])('is refused with %s (T52)', (_what, members, refusals) => {
    const completed = complete(members);
    expect(completed.ok ? [] : completed.error.map(({ code, pointer }) => [code, pointer])).toEqual(refusals);
  });

  it('is refused with a written path under reads', () => {
    const parameters = { type: 'object', properties: { to: { type: 'string', format: 'workspace-path-written' } } };
    const codes = (paths: ToolDocument['path_arguments']) => {
      const completed = complete({ parameters, ...(paths === undefined ? {} : { path_arguments: paths }) });
      return completed.ok ? [] : completed.error.map(({ code }) => code);
    };
    expect(codes({ reads: ['/to'] })).toEqual(['tool.paths_not_declared']);
    expect(codes({ writes: ['/to'] })).toEqual([]);
  });

  it.each([
    ['an alternative', { anyOf: [path, { type: 'null' }] }],
    ['a list of objects', { type: 'array', items: { type: 'object', properties: { path } } }],
    ['other members', { type: 'object', additionalProperties: path }],
  ])('is refused with a path that no pointer leads to: %s', (_what, files) => {
    const parameters = { type: 'object', properties: { files } };
    expect(complete({ parameters, path_arguments: {} })).toMatchObject({
      ok: false,
      error: [{ code: 'tool.paths_not_declared' }],
    });
  });
});

it('leaves `path_arguments` out of the definition of every other tool, which so keeps its digest', () => {
  const parameters = { type: 'object', properties: { from: { type: 'string' } } };
  for (const paths of [{}, { path_arguments: {} }]) {
    const { path_arguments: _, ...silent } = MOVE;
    const other = completeDefinition('other', { ...silent, parameters, ...paths }, '/at');
    if (!other.ok) throw new Error('refused');
    expect(definitionText(other.value)).not.toContain('path_arguments');
    expect(pathsOf({ definition: other.value }, { from: '.env' })).toBeNull();
  }
});
