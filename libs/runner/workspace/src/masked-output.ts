import { maskChunk, maskHeld, type HeldText } from '#lib/kernel';
import type { OutputChunk } from './domain/runner-tool.js';

/** Passes output on as it arrives, masked: a secret that a program writes in two parts is seen as one. */
export class MaskedOutput {
  readonly #held: Record<OutputChunk['stream'], HeldText> = { stdout: [], stderr: [] };

  constructor(
    private readonly output: (chunk: OutputChunk) => void,
    private readonly secrets: readonly string[],
  ) {}

  take({ stream, text }: OutputChunk): void {
    const { shown, held } = maskChunk(this.#held[stream], text, this.secrets);
    this.#held[stream] = held;
    this.#pass(stream, shown);
  }

  /** Passes on the text that was held back, since it is no beginning of a secret. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#pass(stream, maskHeld(this.#held[stream], this.secrets));
      this.#held[stream] = [];
    }
  }

  #pass(stream: OutputChunk['stream'], text: string): void {
    if (text !== '') this.output({ stream, text });
  }
}
