import { judgePaths } from '#lib/shell-safety';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { callImpact } from './call-impact.js';

const LABEL = sampleTool('label', { risk: 'state_change_nonprod', effect: 'modify' });
const SHELL = sampleTool('shell', {
  risk: 'state_change_nonprod',
  effect: 'modify',
  surface: 'terminal',
  shell: { argument: '/line', shell: 'bash' },
  parameters: { type: 'object', properties: { line: { type: 'string' } } },
});
const about = (members: Partial<Parameters<typeof callImpact>[0]>): string =>
  callImpact({
    tool: LABEL,
    environment: 'staging',
    arguments: {},
    targets: ['web-01'],
    shell: null,
    paths: null,
    ...members,
  });

it.each([
  [{}, 'label changes web-01 in staging.'],
  [{ tool: sampleTool('look') }, 'look reads web-01 in staging.'],
  [{ targets: [] }, 'label changes something without a named target in staging.'],
  [{ targets: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'label changes a, b, c, d, e and 2 more in staging.'],
])('says the effect and the targets of %j', (members, line) => {
  expect(about(members)).toBe(line);
});

it('says the verdict and the command line, in one line and without its secrets', () => {
  const shell = { tier: 2, class: 'NETWORK', network: true } as const;
  expect(about({ tool: SHELL, arguments: { line: 'curl \\\n  -u password=hunter2 example.com' }, shell })).toBe(
    'shell executes in staging (Tier 2, NETWORK, uses the network): curl \\ -u password=[masked] example.com',
  );
});

it('T10: shows each hidden character by its name', () => {
  expect(about({ targets: ['web\u202E-01'] })).toBe('label changes web⟦U+202E⟧-01 in staging.');
});

it('T10: names letters from right to left, which would be drawn in another order than a shell reads them', () => {
  const shell = { tier: 2, class: 'WRITE', network: false } as const;
  expect(about({ tool: SHELL, arguments: { line: 'cp \u05D0 \u05D1' }, shell })).toContain('cp ⟦U+05D0⟧ ⟦U+05D1⟧');
});

it('T52: says first why paths make the call graver, however long the list of targets is', () => {
  const paths = judgePaths({ reads: [], writes: ['.git/hooks/a', '.mcp\u202E.json', 'password=hunter2/.mcp.json'] });
  const said = about({ targets: ['x'.repeat(2_000)], paths });
  expect(said).toMatch(
    /^Tier 2, UNKNOWN: Another program executes, obeys or trusts ".git\/hooks\/a"\. .*⟦U\+202E⟧.* label changes xxx/,
  );
  expect(said).not.toContain('hunter2');
  expect(about({ paths: judgePaths({ reads: [], writes: ['a.txt'] }) })).toBe('label changes web-01 in staging.');
});

it('cuts a long one', () => {
  expect(about({ targets: ['x'.repeat(2_000)] })).toHaveLength(300);
});
