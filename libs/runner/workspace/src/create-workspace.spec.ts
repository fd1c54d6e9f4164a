import type { JsonObject } from '#lib/canonical';
import { judgePaths, type PathVerdict } from '#lib/shell-safety';
import { completeDefinition, level, pathsOf } from '#lib/tool';
import { fakeWorkspace } from './fake-workspace.js';

const workspace = fakeWorkspace();
afterAll(() => {
  workspace.remove();
});

/** Categories of tools, with their level and the tools that the runner itself carries out. */
const CATEGORIES: readonly (readonly [category: string, level: string, tools: readonly string[]])[] = [
  ['read', 'low', ['file-read', 'file-search', 'directory-list', 'text-search', 'git-status', 'git-diff', 'git-log']],
  ['workspace-write', 'medium', ['file-write', 'file-edit', 'file-move', 'git-apply-patch']],
  ['git-read', 'low', ['git-status', 'git-diff', 'git-log', 'git-branch']],
  // The preset `modes` decides by the category alone. The preset that decides by the level has destruction at high.
  ['workspace-write', 'high', ['file-delete']],
  ['git-write', 'high', ['git-commit', 'git-branch-create', 'git-branch-delete']],
  ['terminal-write', 'high', ['test-run']],
  ['network', 'medium', ['web-fetch']],
  // "rollback-checkpoint restores the pre-write state": it writes files of the workspace.
  ['workspace-write', 'medium', ['rollback-checkpoint']],
];

/** An approval of these takes the word CONFIRM. */
const DELETIONS = ['file-delete', 'git-branch-delete'];

const rows = CATEGORIES.flatMap(([category, wanted, tools]) => tools.map((tool) => [category, tool, wanted] as const));

/** The registry's own reading of a tool's document. */
function definitionOf(name: string) {
  const tool = workspace.tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const read = completeDefinition(name, tool.document, '');
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

describe('the tools of a workspace', () => {
  it.each(rows)('%s: %s is accepted by a registry, at the level %s', (category, name, wanted) => {
    const definition = definitionOf(name);
    expect(level(definition)).toBe(wanted);
    const change = DELETIONS.includes(name) ? 'destructive' : 'modify';
    expect(definition.effect).toBe(category.endsWith('write') ? change : 'read');
    // A session can call it. Policy denies a call that is to be simulated, and sends the agent for a plan.
    expect(definition).toMatchObject({ requires_plan: false, simulation: 'not_applicable' });
  });

  it('are all that the workspace has', () => {
    expect([...workspace.tools.keys()].sort()).toEqual([...new Set(rows.map(([, name]) => name))].sort());
  });

  it.each([...workspace.tools.keys()].map((name) => [name]))('have the time limit of their kind: %s', (name) => {
    const limits: Readonly<Record<string, number>> = { 'web-fetch': 30, 'test-run': 120 };
    expect(definitionOf(name).time_limit_seconds).toBe(limits[name] ?? 15);
  });

  it('wait 120 seconds more for each check after a write, and as long for one that is under way', () => {
    const checked = fakeWorkspace({ checks: ['test'] });
    const seconds = (name: string) => checked.tools.get(name)?.document.time_limit_seconds;
    expect([seconds('file-write'), seconds('file-read'), seconds('git-commit')]).toEqual([255, 15, 15]);
    checked.remove();
  });

  it('are refused elsewhere than on Linux', async () => {
    const other = fakeWorkspace({ platform: 'darwin' });
    for (const [tool, given] of [
      ['file-read', { path: 'a' }],
      ['file-write', { path: 'a', content: '' }],
      ['git-status', {}],
      ['test-run', {}],
    ] as const)
      expect(await other.code(tool, given)).toBe('workspace.unsupported_platform');
    other.remove();
  });
});

const codesOf = (read: ReturnType<typeof completeDefinition>) => (read.ok ? [] : read.error.map(({ code }) => code));

describe('the paths of a call (T52)', () => {
  const verdictOn = (name: string, given: JsonObject) => {
    const paths = pathsOf({ definition: definitionOf(name) }, given);
    return paths === null ? null : judgePaths(paths);
  };

  it.each<[string, JsonObject, PathVerdict['class'], 1 | 2]>([
    ['file-read', { path: 'src/a.ts' }, 'READ_ONLY', 1],
    ['file-read', { path: './.env' }, 'READ_ONLY', 2],
    ['directory-list', {}, 'READ_ONLY', 1],
    ['file-search', { pattern: '*', path: '.ssh' }, 'READ_ONLY', 2],
    ['text-search', { pattern: 'a', path: '.aws' }, 'READ_ONLY', 2],
    ['git-diff', { paths: ['a', '.env'] }, 'READ_ONLY', 2],
    ['git-log', { path: '.env' }, 'READ_ONLY', 2],
    ['git-commit', { message: 'm', paths: ['a', 'id_rsa'] }, 'READ_ONLY', 2],
    ['file-write', { path: 'src/a.ts', content: '' }, 'WRITE', 2],
    ['file-move', { from: 'a', to: 'b' }, 'WRITE', 2],
    ['file-move', { from: 'a', to: '.git' }, 'UNKNOWN', 2],
    ['git-apply-patch', { patch: 'x', paths: ['a'] }, 'WRITE', 2],
  ])('of %s %j are %s', (name, given, callClass, tier) => {
    expect(verdictOn(name, given)).toMatchObject({ class: callClass, tier });
  });

  /** The files that the threat names, each at an unusual spelling too. */
  it.each([
    ...[
      '.git/hooks/post-checkout',
      'sub/.git/config',
      '.GIT/hooks/x',
      '.mcp.json',
      'a/.mcp.json',
      '.claude/settings.json',
    ],
    ...['CLAUDE.md', '.cursor/rules', 'package.json', 'Makefile', 'a/b/Makefile', '.github/workflows/ci.yml'],
    ...['.gitlab-ci.yml', 'Jenkinsfile', '.bashrc', '.profile', '.envrc', '.vscode/tasks.json', './/./package.json'],
  ])('make a write of %s no ordinary write (T52)', (path) => {
    for (const [tool, given] of [
      ['file-write', { path, content: '' }],
      ['file-edit', { path, old_text: 'a', new_text: 'b' }],
      ['file-delete', { path }],
      ['file-move', { from: 'a', to: path }],
      ['file-move', { from: path, to: 'a' }],
      ['git-apply-patch', { patch: 'x', paths: ['a', path] }],
    ] as const)
      expect(verdictOn(tool, given)).toMatchObject({ class: 'UNKNOWN', reasons: [{ code: 'paths.writes_code' }] });
  });

  it('are declared by each tool whose schema has a path', () => {
    const silent = [...workspace.tools.values()]
      .filter(({ document }) => JSON.stringify(document.parameters).includes('workspace-path'))
      .map(
        ({ name, document: { path_arguments: _, ...document } }) =>
          [name, completeDefinition(name, document, '')] as const,
      );
    expect(silent.map(([name]) => name)).toHaveLength(12);
    for (const [, read] of silent) expect(new Set(codesOf(read))).toEqual(new Set(['tool.paths_not_declared']));
  });

  it('are declared as written by each tool that writes files, or its description says that it names none', () => {
    const writers = CATEGORIES.flatMap(([category, , tools]) => (category === 'workspace-write' ? tools : []));
    const undeclared = writers.filter((name) => {
      const { path_arguments: paths, description = '' } = workspace.tools.get(name)?.document ?? {};
      return (paths?.writes ?? []).length === 0 && !description.includes('names no path to judge');
    });
    expect(undeclared).toEqual([]);
    expect(writers).toHaveLength(6);
  });
});
