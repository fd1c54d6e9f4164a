import { z } from 'zod';
import { replaceOnce } from '../domain/replace-once.js';
import type { RunnerTool, ToolLimits } from '../domain/runner-tool.js';
import { requireText } from '../domain/text.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { namesBelowRoot, said } from '../domain/workspace-path.js';
import { requireFile, type EntryStat } from '../files/entry-stat.js';
import type { Folder } from '../files/folder.js';
import { atEntry, inFolder, makeFolders } from '../files/locate.js';
import { digestOf } from '../snapshots/blob-folder.js';
import { removeTree } from '../snapshots/restore-tree.js';
import { writtenPathSchema } from './path-schema.js';
import { writeTool, type WriteDeps } from './write-tool.js';

/** The permissions of a new file. */
export const NEW_FILE = 0o644;
const MAX_TEXT = 5_000_000;
const textSchema = z.string().max(MAX_TEXT);

export const fileWrite = (deps: WriteDeps): RunnerTool =>
  writeTool(deps, {
    name: 'file-write',
    category: 'workspace-write',
    description: 'Writes a whole text file of the workspace, and makes the folders that are missing.',
    schema: z.strictObject({
      path: writtenPathSchema('The file, from the workspace’s root.'),
      content: textSchema.meta({ description: 'The whole new content.' }),
    }),
    identityFields: ['/path'],
    paths: { writes: ['/path'] },
    prepare: async (root, { path, content }, { limits }) => {
      const names = namesBelowRoot(path);
      const bytes = contentOf(content, path, limits);
      const before = await statOrNull(root, names);
      if (before !== null) requireFile(before, path, null);
      return {
        changes: [names],
        apply: async () => {
          await makeFolders(root, names.slice(0, -1));
          await atEntry(root, names, (folder, name) => folder.write(name, bytes, before?.mode ?? NEW_FILE));
          return { path, bytes: bytes.length, sha256: digestOf(bytes), created: before === null };
        },
      };
    },
  });

export const fileEdit = (deps: WriteDeps): RunnerTool =>
  writeTool(deps, {
    name: 'file-edit',
    category: 'workspace-write',
    description: 'Replaces one text in a file of the workspace. It refuses if the old text is not there exactly once.',
    schema: z.strictObject({
      path: writtenPathSchema('The file, from the workspace’s root.'),
      old_text: textSchema.min(1).meta({ description: 'The text to replace, exactly as the file has it.' }),
      new_text: textSchema.meta({ description: 'The text in its place.' }),
    }),
    identityFields: ['/path'],
    paths: { writes: ['/path'] },
    prepare: async (root, { path, old_text: oldText, new_text: newText }, { limits }) => {
      const names = namesBelowRoot(path);
      const { content, mode } = await atEntry(root, names, (folder, name) => folder.read(name, limits.fileBytes));
      const bytes = contentOf(replaceOnce(requireText(content, path), oldText, newText, path), path, limits);
      return {
        changes: [names],
        apply: async () => {
          await atEntry(root, names, (folder, name) => folder.write(name, bytes, mode));
          return { path, bytes: bytes.length, sha256: digestOf(bytes) };
        },
      };
    },
  });

export const fileDelete = (deps: WriteDeps): RunnerTool =>
  writeTool(deps, {
    name: 'file-delete',
    category: 'workspace-write',
    description: 'Deletes a file of the workspace, or a folder with all that is in it.',
    schema: z.strictObject({
      path: writtenPathSchema('The file or folder, from the workspace’s root.'),
      recursive: z.boolean().optional().meta({ description: 'Whether a folder that is not empty is deleted too.' }),
    }),
    identityFields: ['/path'],
    effect: 'destructive',
    paths: { writes: ['/path'] },
    prepare: async (root, { path, recursive = false }) => {
      const names = namesBelowRoot(path);
      const kind = (await requireEntry(root, names, path)).kind;
      const full =
        kind === 'folder' && (await inFolder(root, names, async (folder) => (await folder.list(1)).names.length > 0));
      if (full && !recursive) {
        throw new ToolRefusal(
          'workspace.not_empty',
          `${said(path)} is a folder that is not empty. Ask with "recursive".`,
        );
      }
      return {
        changes: [names],
        apply: async () => {
          await atEntry(root, names, removeTree);
          return { path };
        },
      };
    },
  });

export const fileMove = (deps: WriteDeps): RunnerTool =>
  writeTool(deps, {
    name: 'file-move',
    category: 'workspace-write',
    description: 'Moves a file or folder of the workspace to a path that is free.',
    schema: z.strictObject({
      from: writtenPathSchema('The file or folder, from the workspace’s root.'),
      to: writtenPathSchema('Its new path.'),
    }),
    identityFields: ['/from', '/to'],
    paths: { writes: ['/from', '/to'] },
    prepare: async (root, { from, to }) => {
      const [source, target] = [namesBelowRoot(from), namesBelowRoot(to)];
      await requireEntry(root, source, from);
      if (isBelow(target, source)) {
        throw new ToolRefusal('workspace.into_itself', `${said(to)} is in ${said(from)} itself. Choose another path.`);
      }
      if ((await statOrNull(root, target)) !== null) {
        throw new ToolRefusal(
          'workspace.exists',
          `${said(to)} exists already. Choose another path, or delete it first.`,
        );
      }
      return {
        changes: [source, target],
        apply: async () => {
          await makeFolders(root, target.slice(0, -1));
          await atEntry(root, source, (folder, name) =>
            atEntry(root, target, (newFolder, newName) => folder.moveTo(name, newFolder, newName)),
          );
          return { from, to };
        },
      };
    },
  });

/** The entry at a path, or null; null too if a folder on the way is missing. */
export async function statOrNull(root: Folder, names: readonly string[]): Promise<EntryStat | null> {
  try {
    return await atEntry(root, names, (folder, name) => folder.stat(name));
  } catch (problem) {
    if (problem instanceof ToolRefusal && problem.code === 'workspace.not_found') return null;
    throw problem;
  }
}

/** An entry that can be moved or deleted by its name. A symbolic link is one: nothing follows it. */
async function requireEntry(root: Folder, names: readonly string[], path: string): Promise<EntryStat> {
  const stat = await atEntry(root, names, (folder, name) => folder.stat(name));
  if (stat?.kind === 'folder' || stat?.kind === 'symlink') return stat;
  requireFile(stat, path, null);
  return stat;
}

/** @throws {ToolRefusal} `workspace.file_too_large`, `workspace.invalid_text` */
export function contentOf(text: string, path: string, limits: ToolLimits): Buffer {
  if (!text.isWellFormed()) {
    throw new ToolRefusal('workspace.invalid_text', `The new text of ${said(path)} holds half of a character.`);
  }
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limits.fileBytes) return bytes;
  throw new ToolRefusal(
    'workspace.file_too_large',
    `${said(path)} would have more than ${String(limits.fileBytes)} bytes, the limit of a tool.`,
  );
}

const isBelow = (names: readonly string[], above: readonly string[]): boolean =>
  above.every((name, index) => names[index] === name);
