import { z } from 'zod';
import type { RunnerTool } from '../domain/runner-tool.js';
import { cutText, requireText } from '../domain/text.js';
import { namesBelowRoot, namesOf } from '../domain/workspace-path.js';
import { atEntry, inFolder } from '../files/locate.js';
import { walkFolder } from '../files/walk-folder.js';
import { compileGlob } from '../domain/line-pattern.js';
import { digestOf } from '../snapshots/blob-folder.js';
import { pathSchema } from './path-schema.js';
import { readTool } from './read-tool.js';
import type { WorkspaceSettings } from './settings.js';

const MAX_LISTED = 2_000;
const MAX_DEPTH = 64;

export const fileRead = (settings: WorkspaceSettings): RunnerTool =>
  readTool(settings, {
    name: 'file-read',
    description: 'Reads a text file of the workspace, or some of its lines.',
    schema: z.strictObject({
      path: pathSchema('The file, from the workspace’s root.'),
      first_line: z.int().min(1).max(10_000_000).optional().meta({ description: 'The first line; 1 if absent.' }),
      last_line: z.int().min(1).max(10_000_000).optional().meta({ description: 'The last line; the end if absent.' }),
    }),
    identityFields: ['/path'],
    reads: ['/path'],
    read: async (root, { path, first_line: first = 1, last_line: last = Infinity }, { limits }) => {
      const { content } = await atEntry(root, namesBelowRoot(path), (folder, name) =>
        folder.read(name, limits.fileBytes),
      );
      const lines = requireText(content, path).split(/(?<=\n)/);
      const { text, truncated } = cutText(lines.slice(first - 1, last).join(''), limits.outputBytes);
      return { path, text, truncated, lines: lines.length, bytes: content.length, sha256: digestOf(content) };
    },
  });

export const directoryList = (settings: WorkspaceSettings): RunnerTool =>
  readTool(settings, {
    name: 'directory-list',
    description: 'Lists a folder of the workspace, with the folders in it down to a depth.',
    schema: z.strictObject({
      path: pathSchema('The folder, from the workspace’s root; the root if absent.').optional(),
      depth: z.int().min(1).max(10).optional().meta({ description: 'Levels of folders; 1 if absent.' }),
    }),
    reads: ['/path'],
    read: async (root, { path = '.', depth = 1 }, { limits, signal }) => {
      const entries: { path: string; kind: string; size?: number }[] = [];
      let truncated = false;
      await inFolder(root, namesOf(path), async (folder) => {
        const walk = walkFolder(folder, {
          depth,
          entries: limits.entries,
          enters: ({ name }) => name !== '.git',
          onIncomplete: () => (truncated = true),
        });
        for await (const { path: below, stat } of walk) {
          signal.throwIfAborted();
          truncated ||= entries.length >= MAX_LISTED;
          if (truncated) break;
          entries.push({ path: below, kind: stat.kind, ...(stat.kind === 'file' ? { size: stat.size } : {}) });
        }
      });
      return { path, entries, truncated };
    },
  });

export const fileSearch = (settings: WorkspaceSettings): RunnerTool =>
  readTool(settings, {
    name: 'file-search',
    description: 'Finds files of the workspace by a pattern of their paths.',
    schema: z.strictObject({
      pattern: z
        .string()
        .min(1)
        .max(256)
        .meta({ description: '* for any text of a name, ** for any folders, ? for one character: src/**/*.ts' }),
      path: pathSchema('The folder to begin at; the root if absent.').optional(),
    }),
    reads: ['/path'],
    read: async (root, { pattern, path = '.' }, { limits, signal }) => {
      const matches = compileGlob(pattern);
      const files: string[] = [];
      let [seen, truncated] = [0, false];
      await inFolder(root, namesOf(path), async (folder) => {
        const walk = walkFolder(folder, {
          depth: MAX_DEPTH,
          entries: limits.entries,
          enters: ({ name }) => name !== '.git',
          onIncomplete: () => (truncated = true),
        });
        for await (const { path: below, stat } of walk) {
          signal.throwIfAborted();
          truncated ||= (seen += 1) > limits.entries || files.length >= MAX_LISTED;
          if (truncated) break;
          if (stat.kind === 'file' && matches(below)) files.push(below);
        }
      });
      return { path, files, truncated };
    },
  });
