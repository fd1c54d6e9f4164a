import { ToolRefusal } from '../domain/tool-refusal.js';
import type { ToolContext } from '../domain/runner-tool.js';
import type { Folder } from '../files/folder.js';
import { inFolder } from '../files/locate.js';
import { fieldsOf, runGit, type GitAnswer, type GitOrder } from './run-git.js';

/** The commit and the branch that are checked out. The commit is null before the first; the branch is null if none is checked out. */
export interface Head {
  readonly commit: string | null;
  readonly branch: string | null;
}

/** The author of commits, and the search path for git. */
export interface RepositorySettings {
  readonly author: { readonly name: string; readonly email: string };
  readonly programs: { readonly path: string };
}

const MAX_ENTRIES = 10_000;
/** Folders of .git whose entries git reads objects from. */
const OBJECT_FOLDERS = [
  ['objects'],
  ['objects', 'info'],
  ['objects', 'pack'],
  ['refs'],
  ['refs', 'heads'],
  ['logs'],
  ['info'],
];
/** Files by which a repository continues at a place outside. */
const CONTINUATIONS = ['commondir', 'gitdir', 'objects/info/alternates', 'objects/info/http-alternates'];

/**
 * The repository of a workspace. git works in its own opened folder as if that were the whole repository. So it opens
 * no file of the working tree. The tools read and write those, through opened folders.
 */
export class Repository {
  private constructor(
    private readonly root: Folder,
    private readonly folder: Folder,
    private readonly settings: RepositorySettings,
    private readonly context: ToolContext,
  ) {}

  /** @throws {ToolRefusal} `workspace.not_a_repository`, `workspace.git_outside` */
  static async with<T>(
    root: Folder,
    settings: RepositorySettings,
    context: ToolContext,
    use: (repository: Repository) => Promise<T>,
  ): Promise<T> {
    if ((await root.stat('.git'))?.kind !== 'folder') {
      throw new ToolRefusal(
        'workspace.not_a_repository',
        'The workspace has no folder .git of its own. Clone or initialise it.',
      );
    }
    return await inFolder(root, ['.git'], async (folder) => {
      await requireInside(folder);
      return await use(new Repository(root, folder, settings, context));
    });
  }

  /** The repository's own folder. */
  get own(): Folder {
    return this.folder;
  }

  /** Executes git on the repository alone: the working tree does not exist for it. */
  async git(args: readonly string[], order: GitOrder = {}): Promise<GitAnswer> {
    return await this.#run(this.folder.path, { GIT_DIR: '.', GIT_WORK_TREE: '.' }, args, order);
  }

  /** Executes git where it sees the working tree: only to ask by its .gitignore and .gitattributes. */
  async gitWithTree(args: readonly string[], order: GitOrder = {}): Promise<GitAnswer> {
    return await this.#run(this.root.path, { GIT_DIR: '.git', GIT_WORK_TREE: '.' }, args, order);
  }

  async #run(
    cwd: string,
    env: Readonly<Record<string, string>>,
    args: readonly string[],
    order: GitOrder,
  ): Promise<GitAnswer> {
    const { author, programs } = this.settings;
    const identity = {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
    };
    const gitSettings = { cwd, searchPath: programs.path, signal: this.context.signal, env: { ...identity, ...env } };
    return await runGit(gitSettings, args, order);
  }

  async head(): Promise<Head> {
    const branch = await this.git(['symbolic-ref', '--quiet', 'HEAD'], { answers: [1] });
    const commit = await this.git(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { answers: [1, 128] });
    return {
      branch: branch.exitCode === 0 ? branch.text.trim().replace(/^refs\/heads\//, '') : null,
      commit: commit.exitCode === 0 ? commit.text.trim() : null,
    };
  }

  /** Of these paths, those that .gitignore leaves out. */
  async ignored(paths: readonly string[]): Promise<ReadonlySet<string>> {
    if (paths.length === 0) return new Set();
    // check-ignore takes no literal pathspecs. A path that begins with ./ has no magic either.
    const { text } = await this.gitWithTree(['check-ignore', '-z', '--stdin'], {
      input: paths.map((path) => `./${path}\0`).join(''),
      env: { GIT_LITERAL_PATHSPECS: '0' },
      answers: [1],
    });
    return new Set(fieldsOf(text).map((path) => path.slice(2)));
  }
}

/** @throws {ToolRefusal} `workspace.git_outside` if a part of the repository is elsewhere. */
async function requireInside(folder: Folder): Promise<void> {
  const outside = (part: string): ToolRefusal =>
    new ToolRefusal('workspace.git_outside', `.git/${part} leads out of the workspace. Use a full clone.`);
  for (const path of CONTINUATIONS) if (await exists(folder, path.split('/'))) throw outside(path);
  for (const names of [[], ...OBJECT_FOLDERS]) {
    const linked = await linkIn(folder, names);
    if (linked !== null) throw outside([...names, linked].join('/'));
  }
}

async function exists(folder: Folder, names: readonly string[]): Promise<boolean> {
  const [name = '', ...below] = names;
  const stat = await folder.stat(name);
  if (below.length === 0 || stat?.kind !== 'folder') return stat !== null && below.length === 0;
  return await inFolder(folder, [name], (inner) => exists(inner, below));
}

/** The name of a symbolic link in a folder, or null. */
async function linkIn(folder: Folder, names: readonly string[]): Promise<string | null> {
  const [next, ...below] = names;
  if (next !== undefined) {
    if ((await folder.stat(next))?.kind !== 'folder') return null;
    return await inFolder(folder, [next], (inner) => linkIn(inner, below));
  }
  for (const name of (await folder.list(MAX_ENTRIES)).names) {
    if ((await folder.stat(name))?.kind === 'symlink') return name;
  }
  return null;
}
