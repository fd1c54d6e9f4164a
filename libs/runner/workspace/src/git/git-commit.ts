import { join } from 'node:path';
import { z } from 'zod';
import type { RunnerTool, ToolContext } from '../domain/runner-tool.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { namesBelowRoot, said } from '../domain/workspace-path.js';
import type { Folder } from '../files/folder.js';
import { atEntry, inFolder } from '../files/locate.js';
import { inTemporaryFolder } from '../files/temporary-folder.js';
import { pathsSchema } from '../tools/path-schema.js';
import { statOrNull } from '../tools/write-tools.js';
import { writeTool, type WriteDeps } from '../tools/write-tool.js';
import { indexLine } from './index-line.js';
import { readIndex } from './read-index.js';
import type { Head, Repository } from './repository.js';
import { baseOf } from './staged-changes.js';
import { inRepository, branchFiles } from './writable-repository.js';

const MAX_PATHS = 500;
const MAX_READ = 50_000_000;
/** The files that a commit writes, besides those of the branch. */
const OWN_FILES = [['index'], ['HEAD'], ['logs', 'HEAD']].map((names) => ['.git', ...names]);
/** A merge, rebase or pick that is under way. */
const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];
/** Attributes by which git stores other bytes than the file has. */
const CONVERSIONS = ['filter', 'working-tree-encoding', 'ident'];

/**
 * Commits files by git's plumbing. Their contents are read through opened folders. No filter, hook or signature program
 * is executed. The staged changes of other files stay staged.
 */
export const gitCommit = (deps: WriteDeps): RunnerTool =>
  writeTool(deps, {
    name: 'git-commit',
    category: 'git-write',
    description: 'Commits the present state of the named files to the branch that is checked out.',
    schema: z.strictObject({
      message: z
        .string()
        .trim()
        .min(1)
        .max(10_000)
        .meta({ description: 'The message: a subject, and a body after an empty line.' }),
      paths: pathsSchema('The files to commit, new and deleted ones included.', MAX_PATHS),
    }),
    identityFields: ['/paths'],
    // A commit writes no file of the workspace, and takes what it reads along.
    paths: { reads: ['/paths'] },
    prepare: (root, { message, paths: given }, context) => {
      const { settings } = deps;
      const paths = given.map((path) => namesBelowRoot(path).join('/'));
      return inRepository(root, settings, context, async (repository) => {
        const head = await requireReady(repository, root, paths);
        const branch = head.branch === null ? [] : await branchFiles(repository.own, head.branch, head.commit);
        return {
          changes: [...OWN_FILES, ...branch],
          apply: () =>
            inRepository(root, settings, context, async (again) => {
              const commit = await commitFiles(again, root, head, paths, message, context);
              return { commit, branch: head.branch, files: paths.length };
            }),
        };
      });
    },
  });

async function requireReady(repository: Repository, root: Folder, paths: readonly string[]): Promise<Head> {
  for (const name of UNDER_WAY) {
    if ((await repository.own.stat(name)) !== null) {
      throw new ToolRefusal('workspace.git_busy', `A merge or rebase is under way (.git/${name}). End it first.`);
    }
  }
  const tracked = new Set((await readIndex(repository)).map(({ path }) => path));
  const added = paths.filter((path) => !tracked.has(path));
  for (const path of paths) {
    const stat = await statOrNull(root, path.split('/'));
    if (path === '.git' || path.startsWith('.git/') || stat?.kind === 'folder') {
      throw new ToolRefusal('workspace.not_a_file', `${said(path)} is no file that git can commit. Name single files.`);
    }
    if (stat === null && !tracked.has(path))
      throw new ToolRefusal('workspace.not_found', `${said(path)} does not exist.`);
  }
  const [ignored] = await repository.ignored(added);
  if (ignored !== undefined) {
    throw new ToolRefusal(
      'workspace.git_ignored',
      `.gitignore leaves out ${said(ignored)}, so that it is not committed.`,
    );
  }
  await requireUnconverted(repository, root, paths);
  return await repository.head();
}

/** @throws {ToolRefusal} `workspace.git_conversion` if git would store other bytes than the file has. */
async function requireUnconverted(repository: Repository, root: Folder, paths: readonly string[]): Promise<void> {
  const { text } = await repository.gitWithTree(['check-attr', '-z', '--stdin', ...CONVERSIONS, 'text', 'eol'], {
    input: paths.map((path) => `${path}\0`).join(''),
  });
  const fields = text.split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', attribute = '', value = ''] = fields.slice(at, at + 3);
    if (value === 'unspecified' || value === 'unset') continue;
    if (CONVERSIONS.includes(attribute) || (await hasCarriageReturns(root, path))) {
      throw new ToolRefusal(
        'workspace.git_conversion',
        `.gitattributes converts ${said(path)} (${attribute}), and this tool converts nothing. Commit it on the machine.`,
      );
    }
  }
}

async function hasCarriageReturns(root: Folder, path: string): Promise<boolean> {
  const names = path.split('/');
  if ((await statOrNull(root, names))?.kind !== 'file') return false;
  return (await atEntry(root, names, (folder, name) => folder.read(name, MAX_READ))).content.includes('\r\n');
}

async function commitFiles(
  repository: Repository,
  root: Folder,
  head: Head,
  paths: readonly string[],
  message: string,
  context: ToolContext,
): Promise<string> {
  const base = await baseOf(repository);
  const lines = await inFolder(repository.own, ['objects'], async (objects) => {
    const all: string[] = [];
    for (const path of paths) all.push(await indexLine(root, objects, path, base.length, context));
    return all.join('');
  });
  const tree = await inTemporaryFolder((_, temporary) => treeWith(repository, base, lines, join(temporary, 'index')));
  const before = (await repository.git(['rev-parse', '--verify', `${base}^{tree}`])).text.trim();
  if (tree === before) {
    throw new ToolRefusal('workspace.nothing_to_commit', 'The named files are as the last commit has them.');
  }
  const parents = head.commit === null ? [] : ['-p', head.commit];
  const made = await repository.git(['commit-tree', '--no-gpg-sign', ...parents, '-F', '-', tree], {
    input: `${message}\n`,
  });
  const commit = made.text.trim();
  const [subject = ''] = message.split('\n');
  const old = head.commit ?? '0'.repeat(commit.length);
  await repository.git(['update-ref', '-m', `commit: ${subject}`, 'HEAD', commit, old]);
  await repository.git(['update-index', '-z', '--index-info'], { input: lines });
  return commit;
}

/** The base with the named files as they are now, without the staged changes of others. */
async function treeWith(repository: Repository, base: string, lines: string, indexFile: string): Promise<string> {
  const env = { GIT_INDEX_FILE: indexFile };
  await repository.git(['read-tree', base], { env });
  await repository.git(['update-index', '-z', '--index-info'], { env, input: lines });
  return (await repository.git(['write-tree'], { env })).text.trim();
}
