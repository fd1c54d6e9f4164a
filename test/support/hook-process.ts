import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { compiledPackage } from './compiled-package.js';

/** `answer` is the document on standard output; null if that is empty. */
export interface HookRun {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
  readonly answer: unknown;
}

/**
 * Runs `countersign hook` as a host does: a process of its own, with JSON on standard input.
 *
 * @param input a document, a text as it is, or null for an input that never ends.
 * @param stopped once it is there, the host ends its hook with SIGTERM.
 */
export async function runHook(
  argv: readonly string[],
  input: unknown,
  environment: Readonly<Record<string, string>>,
  stopped?: Promise<unknown>,
): Promise<HookRun & { readonly milliseconds: number }> {
  const program = join(compiledPackage(), 'dist/programs/cli/main.js');
  const started = performance.now();
  const child = spawn(process.execPath, [program, 'hook', ...argv], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  void stopped?.then(() => child.kill('SIGTERM'));
  // A hook that has answered reads no further.
  child.stdin.on('error', () => undefined);
  if (input !== null) child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  const [out, err, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { exitCode, out, err, answer: answerIn(out), milliseconds: performance.now() - started };
}

/** The same without a process of its own. */
export async function runHookHere(
  argv: readonly string[],
  input: unknown,
  environment: Readonly<Record<string, string>>,
): Promise<HookRun> {
  let [out, err] = ['', ''];
  const exitCode = await runCommandLine(['hook', ...argv], {
    environment,
    out: (written) => (out += written),
    err: (written) => (err += stripVTControlCharacters(written)),
    readLine: () => Promise.resolve(null),
    readAll: () => Promise.resolve(''),
    pieces: () => Readable.from([Buffer.from(typeof input === 'string' ? input : JSON.stringify(input))]),
    replay: () => Promise.resolve([]),
  });
  return { exitCode, out, err, answer: answerIn(out) };
}

const answerIn = (out: string): unknown => (out === '' ? null : JSON.parse(out));
