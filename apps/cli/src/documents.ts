import { readFile, stat } from 'node:fs/promises';
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { CountersignError } from '#lib/sdk';
import { errorCode } from '#lib/kernel';
import { CommandError, EXIT } from './exit-codes.js';
import type { Io } from './io.js';

/** The most that a task or a plan may be; the API takes no more either. */
const MAX_BYTES = 1_048_576;

/** A document, YAML or JSON, that knows the position of each value in its file. */
export interface SourceDocument {
  readonly file: string;
  /** Any mapping: it is sent for the document that a route takes, and the API refuses another one. */
  readonly value: unknown;
  /** The beginning of the value that a JSON Pointer names, or of the nearest value around it. */
  positionOf(pointer: string): { readonly line: number; readonly column: number };
}

/**
 * Reads a file, or standard input for `-`. JSON is read as the YAML that it is, so that errors have line and column.
 *
 * @throws {CommandError}
 */
export async function readDocument(file: string, io: Io): Promise<SourceDocument> {
  const source = file === '-' ? await io.readAll() : await readText(file);
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new CommandError(
      EXIT.usage,
      `${nameOf(file)} cannot be read as YAML or JSON.`,
      'Correct the listed errors.',
      document.errors.map(({ pos: [start], code, message }) => {
        const { line, col } = lines.linePos(start);
        return `line ${String(line)}, column ${String(col)}: ${code === 'MULTIPLE_DOCS' ? 'a second document begins here, and one is read' : message}`;
      }),
      'document.unreadable',
    );
  }
  const value = contentOf(document, file);
  return {
    file: nameOf(file),
    value,
    positionOf: (pointer) => {
      const { line, col } = lines.linePos(startOf(document, pointer));
      return { line: Math.max(line, 1), column: Math.max(col, 1) };
    },
  };
}

/** Sends a document; if Countersign refuses it, the refusal names the lines of the file. */
export async function withPositions<T>(document: SourceDocument, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CountersignError) || error.problem.errors === undefined) throw error;
    const { problem } = error;
    const errors = error.problem.errors.map((wrong) => ({ ...wrong, ...document.positionOf(wrong.pointer) }));
    throw new CountersignError({ ...problem, errors }, { cause: error });
  }
}

function contentOf(document: Document, file: string): unknown {
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch {
    const message = `${nameOf(file)} repeats itself through aliases beyond all measure.`;
    throw new CommandError(EXIT.usage, message, 'Write the value out.', [], 'document.aliases');
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  const message = `${nameOf(file)} holds no document: it should be a mapping of keys to values.`;
  throw new CommandError(
    EXIT.usage,
    message,
    '`countersign help submit task` shows one.',
    [],
    'document.not_a_mapping',
  );
}

/** @throws {CommandError} */
export async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size <= MAX_BYTES) return await readFile(file, 'utf8');
  } catch (cause) {
    const missing = errorCode(cause) === 'ENOENT';
    throw new CommandError(
      EXIT.usage,
      missing ? `There is no file ${file}.` : `${file} cannot be read.`,
      missing ? 'Name one that is there, or - for standard input.' : 'See that it is a file, and that you may read it.',
      [],
      missing ? 'file.missing' : 'file.unreadable',
    );
  }
  const message = `${file} is larger than ${String(MAX_BYTES)} bytes.`;
  throw new CommandError(EXIT.usage, message, 'See that it is the file you meant.', [], 'file.too_large');
}

const nameOf = (file: string): string => (file === '-' ? 'Standard input' : file);

/** The offset of the node that the pointer names (RFC 6901); of its key if it is in a mapping. */
function startOf(document: Document, pointer: string): number {
  let node: unknown = document.contents;
  let start = offsetOf(node);
  for (const escaped of pointer.split('/').slice(1)) {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    const child = isMap(node)
      ? node.items.find((pair) => isPair(pair) && isScalar(pair.key) && String(pair.key.value) === name)
      : isSeq(node)
        ? node.items[Number(name)]
        : undefined;
    if (child === undefined) return start;
    start = offsetOf(isPair(child) ? child.key : child);
    node = isPair(child) ? child.value : child;
  }
  return start;
}

// A parsed document has nodes alone.
const offsetOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;
