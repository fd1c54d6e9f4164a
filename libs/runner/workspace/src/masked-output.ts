import { maskSecrets } from '#lib/kernel';
import type { OutputChunk } from './domain/runner-tool.js';

/** A line that is longer is passed on in parts. */
const LONGEST_LINE = 65_536;

/** Passes output on line by line, masked: a secret that a program writes in two parts is seen as one. */
export class MaskedOutput {
  readonly #pending = { stdout: '', stderr: '' };

  constructor(
    private readonly output: (chunk: OutputChunk) => void,
    private readonly secrets: readonly string[],
  ) {}

  take({ stream, text }: OutputChunk): void {
    const all = this.#pending[stream] + text;
    const end = all.length > LONGEST_LINE ? all.length : all.lastIndexOf('\n') + 1;
    this.#pending[stream] = all.slice(end);
    this.#pass(stream, all.slice(0, end));
  }

  /** Passes on the lines that did not end. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#pass(stream, this.#pending[stream]);
      this.#pending[stream] = '';
    }
  }

  #pass(stream: OutputChunk['stream'], text: string): void {
    if (text !== '') this.output({ stream, text: maskSecrets(text, this.secrets) as string });
  }
}
