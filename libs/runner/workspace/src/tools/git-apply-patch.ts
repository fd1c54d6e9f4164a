import { z } from 'zod';
import { patchText, readPatch, type PatchedFile } from '../domain/read-patch.js';
import type { RunnerTool, ToolLimits } from '../domain/runner-tool.js';
import { requireText } from '../domain/text.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { namesBelowRoot, said } from '../domain/workspace-path.js';
import type { Folder } from '../files/folder.js';
import { atEntry, makeFolders } from '../files/locate.js';
import { writtenPathsSchema } from './path-schema.js';
import { contentOf, NEW_FILE, statOrNull } from './write-tools.js';
import { writeTool, type WriteDeps } from './write-tool.js';

const MAX_FILES = 200;
const MAX_PATCH_CHARACTERS = 1_000_000;

/** A file of the patch with its new content; null for one that goes. */
interface ReadyFile {
  readonly from: readonly string[] | null;
  readonly to: readonly string[] | null;
  readonly content: Buffer;
  readonly mode: number;
}

/**
 * Applies a patch through opened folders, as every other write does. `git apply` opens paths by itself, and executes
 * filters that the repository configures.
 */
export const gitApplyPatch = (deps: WriteDeps): RunnerTool =>
  writeTool(deps, {
    name: 'git-apply-patch',
    category: 'workspace-write',
    description: 'Applies a patch in git’s format to files of the workspace: all of it, or nothing.',
    schema: z.strictObject({
      patch: z.string().min(1).max(MAX_PATCH_CHARACTERS).meta({ description: 'The patch, as git diff writes it.' }),
      paths: writtenPathsSchema('Every path that the patch changes; a rename has both.', MAX_FILES),
    }),
    identityFields: ['/paths'],
    paths: { writes: ['/paths'] },
    prepare: async (root, { patch, paths }, { limits }) => {
      const files = readPatch(patch);
      requirePaths(files, paths);
      const ready: ReadyFile[] = [];
      for (const file of files) ready.push(await readyFile(root, file, limits));
      return {
        changes: ready.flatMap(({ from, to }) => [from, to]).filter((names) => names !== null),
        apply: async () => {
          for (const file of ready) await writeFile(root, file);
          return { paths, files: files.length };
        },
      };
    },
  });

/** Approvers saw `paths`: the patch changes these, and no other. */
function requirePaths(files: readonly PatchedFile[], paths: readonly string[]): void {
  const named = new Set(paths.map((path) => namesBelowRoot(path).join('/')));
  const changed = new Set(
    files
      .flatMap(({ from, to }) => [from, to])
      .flatMap((path) => (path === null ? [] : [namesBelowRoot(path).join('/')])),
  );
  const differing = [...named, ...changed].find((path) => !named.has(path) || !changed.has(path));
  if (differing === undefined) return;
  throw new ToolRefusal(
    'workspace.patch_paths_differ',
    `"paths" and the patch differ: only one of them has ${said(differing)}. Name exactly the paths of the patch.`,
  );
}

async function readyFile(root: Folder, file: PatchedFile, limits: ToolLimits): Promise<ReadyFile> {
  const from = file.from === null ? null : namesBelowRoot(file.from);
  const to = file.to === null ? null : namesBelowRoot(file.to);
  if (to !== null && file.to !== file.from && (await statOrNull(root, to)) !== null) {
    throw new ToolRefusal('workspace.exists', `${said(file.to ?? '')} exists already, and the patch would create it.`);
  }
  const before =
    from === null ? null : await atEntry(root, from, (folder, name) => folder.read(name, limits.fileBytes));
  const text = patchText(before === null ? '' : requireText(before.content, file.from ?? ''), file);
  if (to === null && text !== '') {
    throw new ToolRefusal(
      'workspace.patch_does_not_apply',
      `The patch deletes ${said(file.from ?? '')}, but not all of its lines.`,
    );
  }
  const mode = file.mode ?? before?.mode ?? NEW_FILE;
  return { from, to, content: contentOf(text, file.to ?? '', limits), mode };
}

async function writeFile(root: Folder, { from, to, content, mode }: ReadyFile): Promise<void> {
  if (to !== null) {
    await makeFolders(root, to.slice(0, -1));
    await atEntry(root, to, (folder, name) => folder.write(name, content, mode));
  }
  if (from !== null && from.join('/') !== to?.join('/')) {
    await atEntry(root, from, (folder, name) => folder.remove(name));
  }
}
