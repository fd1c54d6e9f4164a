import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair, type YAMLError } from 'yaml';
import type { Json } from '#lib/canonical';
import { err, ok, type FieldError, type Result } from '#lib/kernel';
import { visibleText } from '#lib/words';
import { MAX_TOKENS, scanYaml } from './scan-yaml.js';
import { wordsOfYamlError } from './words-of-yaml-error.js';

/** 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The value of a YAML text, with the position of each part. */
export interface ParsedYaml {
  readonly value: Json;
  /** The position of the value at a JSON Pointer. */
  readonly values: ReadonlyMap<string, Position>;
  /** The position of its key; absent for items of lists and for the whole document. */
  readonly keys: ReadonlyMap<string, Position>;
}

const MAX_ERRORS = 20;

/** One token of a JSON Pointer (RFC 6901 section 3). */
export const pointerToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Parses YAML 1.2 (core schema) without aliases, anchors, tags and several documents. Refuses ambiguous text: a
 * duplicate key, a number that is not finite. Every error has its line and column.
 */
export function parseYaml(source: string, maxTokens = MAX_TOKENS): Result<ParsedYaml, readonly FieldError[]> {
  const lines = new LineCounter();
  const problem = scanYaml(source, maxTokens);
  if (problem !== null) {
    return err([{ pointer: '', code: problem.code, message: problem.message, ...positionIn(source, problem.offset) }]);
  }
  const document = parseDocument(source, {
    lineCounter: lines,
    uniqueKeys: false,
    stringKeys: true,
    version: '1.2',
    schema: 'core',
    strict: true,
    prettyErrors: false,
    resolveKnownTags: false,
  });
  // Of several mistakes at one place, the first is the cause.
  const refused = [...document.errors, ...document.warnings].filter(
    ({ pos: [at] }, index, all) => all.findIndex(({ pos }) => pos[0] === at) === index,
  );
  if (refused.length > 0) return err(refused.slice(0, MAX_ERRORS).map((error) => syntaxError(error, lines)));

  const values = new Map<string, Position>();
  const keys = new Map<string, Position>();
  const errors: FieldError[] = [];
  const at = (node: { range?: readonly number[] | null | undefined }): Position => {
    const { line, col } = lines.linePos(node.range?.[0] ?? 0);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refuse = (pointer: string, code: string, message: string, position: Position): void => {
    if (errors.length < MAX_ERRORS) errors.push({ pointer, code, message, ...position });
  };
  const read = (node: Node | null, pointer: string, fallback: Position): Json => {
    const position = node === null ? fallback : at(node);
    values.set(pointer, position);
    // A parsed document has nodes alone.
    if (isMap(node)) return readMap(node.items as Pair<Node, Node | null>[], pointer);
    if (isSeq(node))
      // A parsed document has nodes alone.
      return node.items.map((item, index) => read(item as Node | null, `${pointer}/${String(index)}`, position));
    const value: unknown = isScalar(node) ? node.value : null;
    if (typeof value === 'string' && !value.isWellFormed())
      refuse(pointer, 'yaml.lone_surrogate', 'This text holds half a character.', position);
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (
      typeof value === 'number' &&
      Number.isFinite(value) &&
      (!Number.isInteger(value) || Number.isSafeInteger(value))
    )
      return value;
    refuse(pointer, 'yaml.unsupported_value', 'This is not a number that can be kept exactly.', position);
    return null;
  };
  const readMap = (pairs: readonly Pair<Node, Node | null>[], pointer: string): Json => {
    const members = new Map<string, Json>();
    for (const { key: keyNode, value } of pairs) {
      const position = at(keyNode);
      const key = isScalar(keyNode) && typeof keyNode.value === 'string' ? keyNode.value : null;
      if (key === null) {
        refuse(pointer, 'yaml.unsupported_key', 'A key is a word.', position);
        continue;
      }
      const path = `${pointer}/${pointerToken(key)}`;
      if (key === '__proto__') {
        refuse(path, 'yaml.reserved_key', 'This key is not possible.', position);
        continue;
      }
      if (members.has(key)) {
        refuse(
          path,
          'yaml.duplicate_key',
          `The key ${JSON.stringify(visibleText(key.slice(0, 100)))} stands twice; it stood on line ${String(keys.get(path)?.line ?? 0)} already.`,
          position,
        );
        continue;
      }
      keys.set(path, position);
      members.set(key, read(value, path, position));
    }
    // fromEntries defines own members, so that no key can reach a prototype.
    return Object.fromEntries(members);
  };

  const value = read(document.contents, '', { line: 1, column: 1 });
  return errors.length > 0 ? err(errors) : ok({ value, values, keys });
}

function syntaxError(error: YAMLError, lines: LineCounter): FieldError {
  const { line, col } = lines.linePos(error.pos[0]);
  const tabs = error.code === 'TAB_AS_INDENT';
  return {
    pointer: '',
    code: tabs ? 'yaml.tab' : 'yaml.syntax',
    message: wordsOfYamlError(error),
    line: Math.max(line, 1),
    column: Math.max(col, 1),
    ...(tabs ? { suggestion: 'Indent with spaces.' } : {}),
  };
}

function positionIn(source: string, offset: number): Position {
  const before = source.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - start + 1 };
}
