import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import type { OutlineNode } from '../domain/piece.js';
import { outlineOf } from './outline-of.js';

/** Parses longer than this are given up. A grammar may take long for a text that is none of its language. */
const PARSE_MS = 1_000;

/** Makes outlines of source files, by the grammars of `@vscode/tree-sitter-wasm`. Each grammar is loaded once it is needed. */
export class SourceParser {
  readonly #languages = new Map<string, Language>();
  readonly #parser: Parser;

  private constructor(parser: Parser) {
    this.#parser = parser;
  }

  static async make(): Promise<SourceParser> {
    // A bundled program has the binary elsewhere than beside its code.
    await Parser.init({ wasmBinary: await readFile(resolved('web-tree-sitter/web-tree-sitter.wasm')) });
    return new SourceParser(new Parser());
  }

  /** Null if the text cannot be parsed in time. */
  async outline(grammar: string, text: string): Promise<readonly OutlineNode[] | null> {
    this.#parser.setLanguage(await this.#languageOf(grammar));
    const until = performance.now() + PARSE_MS;
    const tree = this.#parser.parse(text, null, { progressCallback: () => performance.now() > until });
    if (tree === null) {
      this.#parser.reset();
      return null;
    }
    try {
      return outlineOf(tree.rootNode);
    } finally {
      tree.delete();
    }
  }

  close(): void {
    this.#parser.delete();
  }

  async #languageOf(grammar: string): Promise<Language> {
    const known = this.#languages.get(grammar);
    if (known !== undefined) return known;
    const loaded = await Language.load(await readFile(join(grammarFolder(), `tree-sitter-${grammar}.wasm`)));
    this.#languages.set(grammar, loaded);
    return loaded;
  }
}

const resolved = (file: string): string => createRequire(import.meta.url).resolve(file);

const grammarFolder = (): string => join(resolved('@vscode/tree-sitter-wasm/package.json'), '..', 'wasm');
