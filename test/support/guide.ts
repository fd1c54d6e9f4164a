import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { compiledPackage } from './compiled-package.js';

/** A block of code in a guide: the word after its fence, the rest of that line, and the code. */
interface GuideBlock {
  readonly language: string;
  readonly name: string;
  readonly code: string;
}

/** The blocks of code of a guide, in order. */
export const blocksOf = (file: string): readonly GuideBlock[] =>
  [...readFileSync(file, 'utf8').matchAll(/^```(\S+)(.*)\n([^]*?)^```$/gm)].map(
    ([, language = '', name = '', code = '']) => ({ language, name: name.trim(), code }),
  );

/** A folder in which the commands and imports of a guide work as they do beside an installed package. */
export class GuideFolder {
  readonly path = mkdtempSync(join(compiledPackage(), 'guide-'));
  readonly #environment: Record<string, string>;
  #server: ChildProcess | null = null;

  constructor(environment: Record<string, string>) {
    // The shell finds this npx first: it runs the compiled programs, and downloads nothing.
    const bin = join(this.path, 'bin');
    this.write(
      'bin/npx',
      [
        '#!/bin/sh',
        'app=cli; [ "$1" = countersign-runner ] && app=runner',
        'shift',
        `exec '${process.execPath}' '${compiledPackage()}'/dist/programs/$app/main.js "$@"`,
      ].join('\n'),
      0o755,
    );
    this.#environment = {
      PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: this.path,
      NO_COLOR: '1',
      ...environment,
    };
  }

  write(name: string, content: string, mode = 0o600): void {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
  }

  /** Carries out one line of a shell. @returns all that it printed. */
  async run(line: string): Promise<string> {
    const shell = this.#shell(line);
    const [out, err, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'exit')]);
    if (code !== 0) throw new Error(`${line} ended with ${String(code)}: ${out}${err}`);
    return out + err;
  }

  /** Starts a line that serves until the end, and waits for its first words. */
  async serve(line: string): Promise<void> {
    const shell = this.#shell(`exec env ${line}`);
    this.#server = shell;
    await Promise.race([
      once(createInterface(shell.stdout), 'line'),
      text(shell.stderr).then((said) => Promise.reject(new Error(`${line} ended: ${said}`))),
    ]);
  }

  /** Ends what {@link serve} started, and waits for it. */
  async close(): Promise<void> {
    if (this.#server?.exitCode === null && this.#server.signalCode === null) {
      const ended = once(this.#server, 'exit');
      this.#server.kill();
      await ended;
    }
    rmSync(this.path, { recursive: true, force: true });
  }

  #shell(line: string) {
    return spawn('/bin/sh', ['-c', line], {
      cwd: this.path,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
