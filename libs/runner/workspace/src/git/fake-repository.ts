import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { fakeWorkspace, type FakeWorkspace } from '../fake-workspace.js';

const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};
const worlds: FakeWorkspace[] = [];

export type FakeRepository = FakeWorkspace & { readonly git: (...args: string[]) => string };

/** git itself, as a person would use it beside the tools. */
export const gitIn =
  ({ root }: FakeWorkspace) =>
  (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, env: ENV, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** A workspace that {@link removeRepositories} removes. */
export function emptyWorkspace(): FakeWorkspace {
  const world = fakeWorkspace();
  worlds.push(world);
  return world;
}

export function removeRepositories(): void {
  for (const world of worlds) world.remove();
}

const templates = new Map<string, string>();

/** A repository with one commit, made once for each format and then copied. */
export function fakeRepository(objectFormat = 'sha1'): FakeRepository {
  const world = emptyWorkspace();
  const template = templates.get(objectFormat);
  if (template === undefined) {
    const first = emptyWorkspace();
    const git = gitIn(first);
    git('init', '-q', '-b', 'main', `--object-format=${objectFormat}`);
    first.write('a.txt', 'one\n');
    first.write('dir/b.txt', 'b\n');
    first.write('.gitignore', 'ignored\n*.log\n');
    git('add', '-A');
    git('commit', '-qm', 'First\n\nThe body.');
    templates.set(objectFormat, first.root);
  }
  cpSync(templates.get(objectFormat) ?? '', world.root, { recursive: true, preserveTimestamps: true });
  return { ...world, git: gitIn(world) };
}
