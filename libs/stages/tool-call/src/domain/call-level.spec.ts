import { judgePaths } from '#lib/shell-safety';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { sampleLine } from '../application/fake-tool-call.js';
import { callLevel } from './call-level.js';

const READ = sampleTool('look');
const WRITE = sampleTool('write', { risk: 'state_change_nonprod', effect: 'modify', surface: 'workspace' });
const WIPE = sampleTool('wipe', { risk: 'state_change_nonprod', effect: 'destructive', scope: 'organization' });
const written = (path: string) => judgePaths({ reads: [], writes: [path] });

it.each([
  ['a read', READ, null, 'low'],
  ['a read of a secret: by its class', READ, judgePaths({ reads: ['.env'], writes: [] }), 'low'],
  ['a read outside the workspace', READ, judgePaths({ reads: ['../a'], writes: [] }), 'high'],
  ['an ordinary write', WRITE, written('a.txt'), 'medium'],
  ['a write of code (T52)', WRITE, written('.mcp.json'), 'high'],
  ['a graver tool: as the tool says', WIPE, written('.mcp.json'), 'critical'],
] as const)('of %s', (_what, tool, paths, level) => {
  expect(callLevel(tool, { shell: null, paths })).toBe(level);
});

it('of a command line is that of its class', () => {
  expect(callLevel(WIPE, { shell: sampleLine('ls'), paths: null })).toBe('low');
});
