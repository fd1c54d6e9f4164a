import type { HookHost } from './host.js';
import { claudeCode } from './hosts/claude-code.js';
import { codex } from './hosts/codex.js';
import { opencode } from './hosts/opencode.js';
import { mapCall, type Mapping, type ToolRules } from './tool-rules.js';

const WORKSPACE = '/home/ada/shop';
const asItIs = (path: string): string => path;

const mapped = (rules: ToolRules, tool: string, input: Readonly<Record<string, unknown>>, realPath = asItIs): Mapping =>
  mapCall(
    { hostSession: 's', id: 'c', turn: null, tool, input, directory: `${WORKSPACE}/src` },
    rules,
    WORKSPACE,
    realPath,
  );

const refusal = (code: string, ...words: readonly string[]) => ({
  refusal: { code, message: expect.stringMatching(words.join('.*')) as string },
});

describe('a call of a host', () => {
  it.each<[HookHost, string, object, string, object, string | null]>([
    [
      claudeCode,
      'Bash',
      { command: 'ls', description: 'List', timeout: 5, run_in_background: true, dangerouslyDisableSandbox: false },
      'shell',
      { command: "cd 'src' && ls", background: true },
      'List',
    ],
    [claudeCode, 'Read', { file_path: `${WORKSPACE}/a.ts`, offset: 1, limit: 9 }, 'file-read', { path: 'a.ts' }, null],
    [
      claudeCode,
      'Write',
      { file_path: `${WORKSPACE}/src/a.ts`, content: 'x' },
      'file-write',
      { path: 'src/a.ts', content: 'x' },
      null,
    ],
    [
      claudeCode,
      'Edit',
      { file_path: 'a.ts', old_string: 'a', new_string: 'b', replace_all: false },
      'file-edit',
      { path: 'src/a.ts', old_text: 'a', new_text: 'b' },
      null,
    ],
    [
      claudeCode,
      'Edit',
      { file_path: 'a.ts', old_string: 'a', new_string: 'b', replace_all: true },
      'file-edit',
      { path: 'src/a.ts', old_text: 'a', new_text: 'b', replace_all: true },
      null,
    ],
    [
      claudeCode,
      'MultiEdit',
      { file_path: '/etc/hosts', edits: [{ old_string: 'a', new_string: 'b' }] },
      'file-edit',
      { path: '/etc/hosts', edits: [{ old_string: 'a', new_string: 'b' }] },
      null,
    ],
    [
      claudeCode,
      'Glob',
      { pattern: '**/*.ts', path: WORKSPACE },
      'file-search',
      { pattern: '**/*.ts', path: '.' },
      null,
    ],
    [
      claudeCode,
      'Grep',
      { pattern: 'x', path: null, glob: '*.ts', '-i': true, output_mode: 'content', '-n': true },
      'text-search',
      { pattern: 'x', path: 'src', files: '*.ts', ignore_case: true, chosen: ['src/*.ts', 'src/..ts', 'src/.ts'] },
      null,
    ],
    [
      claudeCode,
      'WebFetch',
      { url: 'https://example.com', prompt: 'Sum it up' },
      'web-fetch',
      { url: 'https://example.com' },
      null,
    ],
    [claudeCode, 'mcp__github__create_issue', { title: 't' }, 'mcp:github:create_issue', { title: 't' }, null],
    [
      codex,
      'Bash',
      { command: 'git push', description: 'Because.' },
      'shell',
      { command: "cd 'src' && git push" },
      'Because.',
    ],
    [
      codex,
      'apply_patch',
      { command: 'p', paths: ['../a', `${WORKSPACE}/.env`] },
      'git-apply-patch',
      { patch: 'p', paths: ['a', '.env'] },
      null,
    ],
    [codex, 'mcp__db__query', { description: 'x' }, 'mcp:db:query', { description: 'x' }, null],
    [
      opencode,
      'bash',
      { command: 'ls', description: 'Lists', timeout: 1 },
      'shell',
      { command: "cd 'src' && ls" },
      'Lists',
    ],
    [opencode, 'read', { filePath: 'a', offset: 1, limit: 1 }, 'file-read', { path: 'src/a' }, null],
    [opencode, 'write', { filePath: 'a', content: '' }, 'file-write', { path: 'src/a', content: '' }, null],
    [
      opencode,
      'edit',
      { filePath: 'a', oldString: 'x', newString: 'y', replaceAll: false },
      'file-edit',
      { path: 'src/a', old_text: 'x', new_text: 'y' },
      null,
    ],
    [
      opencode,
      'apply_patch',
      { patchText: 'p', paths: ['a'] },
      'git-apply-patch',
      { patch: 'p', paths: ['src/a'] },
      null,
    ],
    [opencode, 'glob', { pattern: '*' }, 'file-search', { pattern: '*', path: 'src' }, null],
    [
      opencode,
      'grep',
      { pattern: 'x', include: '*.ts', path: 'lib' },
      'text-search',
      { pattern: 'x', files: '*.ts', path: 'src/lib', chosen: ['src/lib/*.ts', 'src/lib/..ts', 'src/lib/.ts'] },
      null,
    ],
    [opencode, 'list', { path: '.', ignore: ['dist'] }, 'directory-list', { path: 'src' }, null],
    [
      opencode,
      'webfetch',
      { url: 'https://example.com', format: 'text' },
      'web-fetch',
      { url: 'https://example.com' },
      null,
    ],
  ])('$name: %s %j is %s', (host, tool, input, name, args, reason) => {
    expect(mapped(host.rules, tool, input as Record<string, unknown>)).toEqual({
      call: { tool: name, arguments: args, reason },
    });
  });

  it.each([
    ['TodoWrite', {}, 'hook.tool_unmapped', ['TodoWrite', 'Add it under "tools"']],
    ['toString', {}, 'hook.tool_unmapped', ['toString']],
    ['mcp__bad server__x', {}, 'hook.tool_unmapped', ['mcp__bad server__x']],
    [
      'Bash',
      { command: 'ls', dangerouslyDisableSandbox: true },
      'hook.argument_unmapped',
      ['dangerouslyDisableSandbox'],
    ],
    ['Bash', { command: 'ls', toString: 'x' }, 'hook.argument_unmapped', ['toString']],
    ['Read', { file_path: 'a', follow: true }, 'hook.argument_unmapped', ['follow', 'settings file']],
    ['Read', { file_path: '~/private.txt' }, 'hook.path_unclear', ['file_path', 'absolute path']],
    ['Read', { file_path: ' /etc/hosts' }, 'hook.path_unclear', ['file_path']],
    ['Read', { file_path: '/etc/hosts ' }, 'hook.path_unclear', ['file_path']],
    ['Read', { file_path: 'file:///etc/hosts' }, 'hook.path_unclear', ['file_path']],
  ])('T56: %s %j is refused with %s, which names the way out', (tool, input, code, words) => {
    expect(mapped(claudeCode.rules, tool, input)).toEqual(refusal(code, ...words));
  });

  it('loses no member, also of a name that objects have', () => {
    const input = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Record<string, unknown>;
    const mapping = mapped({}, 'mcp__a__b', input);
    expect(JSON.stringify('call' in mapping && mapping.call.arguments)).toBe('{"__proto__":"x","constructor":"y"}');
  });

  it('is judged by the file that a symbolic link leads to', () => {
    const linked = (path: string): string => path.replace(`${WORKSPACE}/src/link`, '/home/ada/.ssh');
    const read = (file_path: string) => mapped(claudeCode.rules, 'Read', { file_path }, linked);
    expect(read('link/id_rsa')).toMatchObject({ call: { arguments: { path: '/home/ada/.ssh/id_rsa' } } });
    expect(read('../../other')).toMatchObject({ call: { arguments: { path: '/home/ada/other' } } });
    expect(read('..x')).toMatchObject({ call: { arguments: { path: 'src/..x' } } });
  });

  it.each<[HookHost, string, object, string]>([
    [claudeCode, '/home/ada/.config/gh', { command: 'cat hosts.yml' }, '/home/ada/.config/gh'],
    [claudeCode, '/home/ada', { command: 'ls' }, '/home/ada'],
    [claudeCode, '/home/ada/shop2', { command: 'ls' }, '/home/ada/shop2'],
    [codex, `${WORKSPACE}/..`, { command: 'ls' }, '/home/ada'],
    [opencode, '/etc', { command: 'ls' }, '/etc'],
  ])('T56: of $name in %s, %j, has no command line outside the workspace', (host, directory, input, folder) => {
    const tool = host === opencode ? 'bash' : 'Bash';
    const call = { hostSession: 's', id: 'c', turn: null, tool, input: input as Record<string, unknown>, directory };
    expect(mapCall(call, host.rules, WORKSPACE, asItIs)).toEqual(refusal('hook.folder_outside', folder));
  });

  it.each([
    ['src', "cd 'src' && ls"],
    ["it's", "cd 'it'\\''s' && ls"],
    ['.', 'ls'],
  ])('begins a command line with its folder %s', (folder, command) => {
    const call = { hostSession: 's', id: 'c', turn: null, tool: 'Bash', input: { command: 'ls' } };
    const directory = `${WORKSPACE}/${folder}`;
    expect(mapCall({ ...call, directory }, claudeCode.rules, WORKSPACE, asItIs)).toMatchObject({
      call: { arguments: { command } },
    });
  });

  it.each([
    [{ glob: '.env' }, ['src/.env']],
    [{ glob: '../../.ssh/id_rsa', path: 'lib' }, ['.ssh/id_rsa']],
    [{ glob: '../../.ssh/x', path: '.' }, ['/home/ada/.ssh/x']],
    [{ glob: '~/.ssh/x' }, ['~/.ssh/x']],
    [{ glob: '/etc/x' }, ['/etc/x']],
  ])('names the paths that a search may read by its pattern: %j', (input, chosen) => {
    expect(mapped(claudeCode.rules, 'Grep', { pattern: 'x', ...input })).toMatchObject({
      call: { arguments: { chosen } },
    });
  });

  it('T56: is refused with a pattern of too many alternatives', () => {
    const input = { pattern: 'x', glob: '{a,b}'.repeat(7) };
    expect(mapped(claudeCode.rules, 'Grep', input)).toEqual(refusal('hook.pattern_unclear', 'glob', 'Grep'));
  });

  it('T56: is refused if its host says so, before any rule', () => {
    const refused = { code: 'hook.patch_unclear', message: 'x' };
    const call = {
      hostSession: 's',
      id: 'c',
      turn: null,
      tool: 'x',
      input: {},
      directory: WORKSPACE,
      refusal: refused,
    };
    expect(mapCall(call, { x: 'host' }, WORKSPACE, asItIs)).toEqual({ refusal: refused });
  });

  it('keeps null, which a tool may read as an order, unless a rule takes it for absent', () => {
    expect(mapped({}, 'mcp__a__b', { owner: null })).toMatchObject({ call: { arguments: { owner: null } } });
    expect(mapped(claudeCode.rules, 'Read', { file_path: 'a', follow: null })).toEqual(
      refusal('hook.argument_unmapped'),
    );
  });

  it('follows the rules of a settings file', () => {
    const rules = { TodoWrite: 'host', Bash: { tool: 'terminal-run', arguments: { command: 'command' } } } as const;
    expect(mapped(rules, 'TodoWrite', { todos: [] })).toEqual({ leave: 'to the host' });
    expect(mapped(rules, 'Bash', { command: 'ls' })).toMatchObject({ call: { tool: 'terminal-run', reason: null } });
    expect(mapped({ Bash: { tool: 'no tool', arguments: 'all' } }, 'Bash', {})).toEqual(refusal('hook.tool_unmapped'));
  });
});
