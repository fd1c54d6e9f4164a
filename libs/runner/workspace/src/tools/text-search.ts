import { z } from 'zod';
import { isSecretPath } from '#lib/shell-safety';
import { compileGlob, compileLinePattern, MAX_PATTERN_CHARACTERS } from '../domain/line-pattern.js';
import type { RunnerTool, ToolContext } from '../domain/runner-tool.js';
import { textOf } from '../domain/text.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { namesOf } from '../domain/workspace-path.js';
import type { Folder } from '../files/folder.js';
import { atEntry, inFolder } from '../files/locate.js';
import { walkFolder } from '../files/walk-folder.js';
import { pathSchema } from './path-schema.js';
import { readTool } from './read-tool.js';
import type { WorkspaceSettings } from './settings.js';

const MAX_MATCHES = 500;
const MAX_DEPTH = 64;
/** Of all files together. */
const MAX_SEARCHED_BYTES = 100_000_000;
/** A longer line is searched up to here: a pattern's time grows with the line. */
const MAX_LINE_CHARACTERS = 10_000;
const SHOWN_CHARACTERS = 300;
/** Others get their turn after so many characters. */
const CHARACTERS_AT_ONCE = 20_000;

export const textSearch = (settings: WorkspaceSettings): RunnerTool =>
  readTool(settings, {
    name: 'text-search',
    description: 'Finds lines of text files by a pattern. It leaves out .git, and files that may hold secrets.',
    schema: z.strictObject({
      pattern: z
        .string()
        .min(1)
        .max(MAX_PATTERN_CHARACTERS)
        .meta({ description: 'A regular expression in RE2’s syntax, matched against each line.' }),
      path: pathSchema('The folder or file to search; the root if absent.').optional(),
      files: z.string().min(1).max(256).optional().meta({ description: 'A pattern of paths, such as *.ts.' }),
      ignore_case: z.boolean().optional(),
    }),
    reads: ['/path'],
    read: async (root, { pattern, path = '.', files, ignore_case: ignoreCase = false }, context) => {
      const search = new Search(compileLinePattern(pattern, ignoreCase), context);
      const wanted = files === undefined ? () => true : compileGlob(files);
      const names = namesOf(path);
      const isFile =
        names.length > 0 && (await atEntry(root, names, (folder, name) => folder.stat(name)))?.kind === 'file';
      if (isFile) await atEntry(root, names, (folder, name) => search.file(folder, name, names.join('/')));
      else {
        const skips = (below: string): boolean => isSecretPath([...names, below].join('/'));
        await inFolder(root, names, (folder) => searchFolder(folder, search, { wanted, skips }, context));
      }
      return { path, ...search.result() };
    },
  });

async function searchFolder(
  folder: Folder,
  search: Search,
  { wanted, skips }: Readonly<Record<'wanted' | 'skips', (path: string) => boolean>>,
  { limits, signal }: ToolContext,
): Promise<void> {
  const walk = walkFolder(folder, {
    depth: MAX_DEPTH,
    entries: limits.entries,
    enters: ({ name }) => name !== '.git',
    onIncomplete: () => {
      search.skip();
    },
  });
  let seen = 0;
  for await (const { folder: parent, name, path, stat } of walk) {
    signal.throwIfAborted();
    if ((seen += 1) > limits.entries) search.cut();
    if (search.isFull) break;
    if (stat.kind !== 'file' || !wanted(path)) continue;
    if (skips(path)) search.skip();
    else await search.file(parent, name, path);
  }
}

interface Match {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

class Search {
  readonly #matches: Match[] = [];
  #skipped = 0;
  #searched = 0;
  #truncated = false;
  #sinceTurn = 0;

  constructor(
    private readonly find: (line: string) => number,
    private readonly context: ToolContext,
  ) {}

  get isFull(): boolean {
    return this.#truncated;
  }

  skip(): void {
    this.#skipped += 1;
  }

  cut(): void {
    this.#truncated = true;
  }

  async file(folder: Folder, name: string, path: string): Promise<void> {
    const text = await this.#textOf(folder, name);
    if (text === null) {
      this.skip();
      return;
    }
    let number = 0;
    for (const line of text.split('\n')) {
      number += 1;
      await this.#giveTurn(line.length);
      const at = this.find(line.slice(0, MAX_LINE_CHARACTERS));
      if (at === -1) continue;
      if (this.#matches.length >= MAX_MATCHES) {
        this.cut();
        return;
      }
      const from = Math.max(at - SHOWN_CHARACTERS / 2, 0);
      this.#matches.push({
        path,
        line: number,
        column: at + 1,
        text: line.slice(from, from + SHOWN_CHARACTERS).trimEnd(),
      });
    }
  }

  async #textOf(folder: Folder, name: string): Promise<string | null> {
    try {
      const { content } = await folder.read(name, this.context.limits.fileBytes);
      this.#searched += content.length;
      if (this.#searched > MAX_SEARCHED_BYTES) this.cut();
      return textOf(content);
    } catch (problem) {
      // Too large, with a second name, or changed meanwhile.
      if (problem instanceof ToolRefusal) return null;
      throw problem;
    }
  }

  /** Matching is synchronous: without turns, no time limit could end it. */
  async #giveTurn(characters: number): Promise<void> {
    this.#sinceTurn += characters;
    if (this.#sinceTurn < CHARACTERS_AT_ONCE) return;
    this.#sinceTurn = 0;
    await new Promise(setImmediate);
    this.context.signal.throwIfAborted();
  }

  result() {
    return {
      matches: this.#matches.map((match) => ({ ...match })),
      skipped: this.#skipped,
      truncated: this.#truncated,
    };
  }
}
