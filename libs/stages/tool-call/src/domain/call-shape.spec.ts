import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { callShape } from './call-shape.js';

const SHELL = sampleTool('shell', {
  risk: 'state_change_nonprod',
  effect: 'modify',
  surface: 'terminal',
  shell: { argument: '/line', shell: 'bash' },
  parameters: { type: 'object', properties: { line: { type: 'string' } } },
});
const LABEL = sampleTool('label', { risk: 'state_change_nonprod', effect: 'modify', identity_fields: ['/targets'] });

it('of a command line is its program, class, subcommand and flags', () => {
  const shape = { class: 'DESTRUCTIVE', flags: ['-f'], program: 'rm', subcommand: '' };
  expect(callShape(SHELL, { line: 'rm -f build/a' })).toEqual(shape);
  expect(callShape(SHELL, { line: 'rm -f build/b' })).toEqual(shape);
  expect(callShape(SHELL, { line: 'rm -rf build/b' })).not.toEqual(shape);
});

it('of another call is its values of the identity fields', () => {
  expect(callShape(LABEL, { targets: ['a'], image: 'one' })).toEqual({ '/targets': ['a'] });
  expect(callShape(LABEL, { targets: ['a'], image: 'two' })).toEqual({ '/targets': ['a'] });
  expect(callShape(LABEL, { targets: ['b'] })).not.toEqual({ '/targets': ['a'] });
});

const WRITE = sampleTool('write', {
  risk: 'state_change_nonprod',
  effect: 'modify',
  // One answer covers every path of a host.
  identity_fields: ['/host'],
  parameters: { type: 'object', properties: { host: { type: 'string' }, path: { type: 'string' } } },
  path_arguments: { writes: ['/path'] },
});

it('covers ordinary paths alike', () => {
  expect(callShape(WRITE, { host: 'a', path: 'x.txt' })).toEqual({ '/host': 'a' });
});

it.each([
  ['a write of code (T52)', WRITE, { host: 'a', path: '.git/hooks/x' }],
  ['a path that leaves the workspace', WRITE, { host: 'a', path: '../x' }],
  ['a line of two commands', SHELL, { line: 'ls; rm a' }],
  ['a line of an unknown program', SHELL, { line: 'frobnicate' }],
  ['a tool without identity fields', sampleTool('look'), { targets: ['a'] }],
])('is none for %s', (_what, tool, args) => {
  expect(callShape(tool, args)).toBeNull();
});
