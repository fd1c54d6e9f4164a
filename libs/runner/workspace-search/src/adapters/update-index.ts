import { createHash } from 'node:crypto';
import { textOf, ToolRefusal, type Folder, type WalkedEntry } from '#lib/workspace';
import { cutFile } from '../domain/cut-file.js';
import { headingsOf } from '../domain/headings.js';
import { languageOf } from '../domain/language-of.js';
import { PIECE_LIMITS, type OutlineNode } from '../domain/piece.js';
import { isWithin, type IndexLimits, type LeftOut } from '../domain/search-job.js';
import type { KeptFile, KeptIndex } from './kept-index.js';
import { sourceFiles } from './source-files.js';
import { SourceParser } from './source-parser.js';

/** The result of one update. */
export interface IndexUpdate {
  readonly updated: number;
  readonly removed: number;
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>;
  /** Whether the index is another one now, be it by the time of a file alone. */
  readonly isChanged: boolean;
}

/** Longer lines are generated. */
const MAX_LINE = 2_000;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/;

/**
 * The bounds of one update: `until` is a time of the process's monotonic clock, after which no more files are read. `below` is the folder or
 * file that is brought up to date, from the root.
 */
type UpdateLimits = Omit<IndexLimits, 'milliseconds'> & { readonly until: number; readonly below: string };

/** The names of a very large folder are walked for so long beyond that time. */
const WALK_ON_MS = 3_000;

/** Brings an index to the state of a folder. Reads its new and changed files, and forgets those that went away. */
export async function updateIndex(
  root: Folder,
  index: KeptIndex,
  limits: UpdateLimits,
  signal: AbortSignal,
): Promise<IndexUpdate> {
  const update = new Update(index, limits);
  try {
    const walk = {
      ...{ entries: limits.entries, below: limits.below },
      leave: (reason: LeftOut) => {
        update.leave(reason);
      },
      isOver: () => update.isOver(),
    };
    for await (const entry of sourceFiles(root, walk)) {
      signal.throwIfAborted();
      await update.take(entry);
    }
    return await update.finish();
  } finally {
    update.close();
  }
}

class Update {
  readonly #seen = new Set<string>();
  readonly #leftOut: Partial<Record<LeftOut, number>> = {};
  /** The files outside the folder. They make room for those inside. */
  readonly #others: string[];
  /** Of the files outside, and of those that were seen. */
  #bytes = 0;
  #updated = 0;
  /** Files with another time and the same content. */
  #touched = 0;
  #walked = 0;
  #walkedAll = true;
  #parser: SourceParser | null = null;

  constructor(
    private readonly index: KeptIndex,
    private readonly limits: UpdateLimits,
  ) {
    this.#others = [...index.files.keys()].filter((path) => !isWithin(path, limits.below));
    for (const path of this.#others) this.#bytes += this.#sizeOf(path);
  }

  leave(reason: LeftOut): void {
    this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1;
  }

  /** True if the walk has to end here. All the rest counts as one that is left out. */
  isOver(): boolean {
    this.#walked += 1;
    const late = performance.now() > this.limits.until + WALK_ON_MS;
    if (!late && this.#walked <= this.limits.walked) return false;
    this.#walkedAll = false;
    this.leave(late ? 'not_yet' : 'beyond_bounds');
    return true;
  }

  async take({ folder, name, path, stat }: WalkedEntry): Promise<void> {
    const [modified, known] = [String(stat.mtimeNs), this.index.files.get(path)];
    if (stat.size > this.limits.fileBytes) {
      this.leave('too_large');
      return;
    }
    if (!this.#hasRoom(stat.size)) {
      this.leave('beyond_bounds');
      return;
    }
    if (known?.size === stat.size && known.modified === modified) {
      this.#keep(path, known);
      return;
    }
    if (performance.now() > this.limits.until) {
      this.#forget(path);
      this.leave('not_yet');
      return;
    }
    const content = await contentOf(folder, name, this.limits.fileBytes);
    if (content === null) {
      this.leave('unreadable');
      return;
    }
    const digest = createHash('sha256').update(content).digest('hex');
    const facts = { size: content.length, modified, digest };
    const isSame = known?.digest === digest;
    if (isSame) this.#touched += 1;
    this.#keep(path, isSame ? { ...known, ...facts } : await this.#read(path, content, facts));
  }

  /** Files outside the folder go first, those that came last before others. */
  #hasRoom(size: number): boolean {
    const { files, bytes } = this.limits;
    while (this.#seen.size + this.#others.length >= files || this.#bytes + size > bytes) {
      const other = this.#others.pop();
      if (other === undefined) return false;
      this.#bytes -= this.#sizeOf(other);
      this.#forget(other);
    }
    return true;
  }

  #sizeOf(path: string): number {
    return this.index.files.get(path)?.size ?? 0;
  }

  #keep(path: string, file: KeptFile): void {
    this.#seen.add(path);
    this.#bytes += file.size;
    this.index.files.set(path, file);
    if (file.leftOut !== null) this.leave(file.leftOut);
  }

  async #read(path: string, content: Buffer, facts: Pick<KeptFile, 'size' | 'modified' | 'digest'>): Promise<KeptFile> {
    this.#forget(path);
    this.#updated += 1;
    const language = languageOf(path);
    const text = textOf(content);
    // The newline at the end begins no line of its own.
    const lines = text?.replace(/\r?\n$/, '').split(/\r?\n/) ?? [];
    const leftOut = reasonAgainst(text, lines);
    if (text === null || leftOut !== null) return { ...facts, language: language.name, leftOut, pieces: [] };
    const outline = await this.#outlineOf(language.name, language.grammar, text, lines);
    const pieces = cutFile(lines, outline, PIECE_LIMITS).map((piece) => ({ ...piece, id: this.index.nextId++ }));
    for (const piece of pieces) {
      const own = lines.slice(piece.firstLine - 1, piece.lastLine).join('\n');
      this.index.pieces.add({ ...piece, path, language: language.name }, own);
    }
    return { ...facts, language: language.name, leftOut, pieces };
  }

  async #outlineOf(
    language: string,
    grammar: string | null,
    text: string,
    lines: readonly string[],
  ): Promise<readonly OutlineNode[]> {
    if (language === 'markdown') return headingsOf(lines);
    if (grammar === null) return [];
    this.#parser ??= await SourceParser.make();
    return (await this.#parser.outline(grammar, text)) ?? [];
  }

  #forget(path: string): boolean {
    const known = this.index.files.get(path);
    if (known !== undefined) this.index.pieces.remove(known.pieces.map(({ id }) => id));
    return this.index.files.delete(path);
  }

  async finish(): Promise<IndexUpdate> {
    const unseen = [...this.index.files.keys()].filter(
      (path) => isWithin(path, this.limits.below) && !this.#seen.has(path),
    );
    // Files that a walk did not come to may be there still, and stay if there is room.
    let removed = 0;
    for (const path of unseen) {
      const size = this.#sizeOf(path);
      if (!this.#walkedAll && this.#hasRoom(size)) {
        this.#seen.add(path);
        this.#bytes += size;
      } else removed += Number(this.#forget(path));
    }
    await this.index.pieces.tidy();
    const isChanged = this.#updated + this.#touched + removed > 0;
    return { updated: this.#updated, removed, leftOut: this.#leftOut, isChanged };
  }

  close(): void {
    this.#parser?.close();
  }
}

function reasonAgainst(text: string | null, lines: readonly string[]): LeftOut | null {
  if (text === null) return 'not_text';
  if (PRIVATE_KEY.test(text)) return 'secret_file';
  return lines.some((line) => line.length > MAX_LINE) ? 'generated' : null;
}

/** Null for a file that changed meanwhile, or has a second name elsewhere. */
async function contentOf(folder: Folder, name: string, most: number): Promise<Buffer | null> {
  try {
    return (await folder.read(name, most)).content;
  } catch (problem) {
    if (problem instanceof ToolRefusal) return null;
    throw problem;
  }
}
