import { ToolRefusal } from '../domain/tool-refusal.js';

/** Lets calls of one workspace take turns: a change looks at the files after the one before it has written. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @throws {ToolRefusal} `workspace.no_turn` if `signal` aborts before the turn comes: then nothing has happened. */
  async take<T>(root: string, signal: AbortSignal, turn: () => Promise<T>): Promise<T> {
    let begun = false;
    const begin = (): Promise<T> => {
      if (signal.aborted) throw noTurn();
      begun = true;
      return turn();
    };
    const mine = (this.#last.get(root) ?? Promise.resolve()).then(begin, begin);
    const settled = mine.catch(() => undefined);
    this.#last.set(root, settled);
    void settled.then(() => {
      if (this.#last.get(root) === settled) this.#last.delete(root);
    });
    let leave = (): void => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        if (!begun) reject(noTurn());
      };
    });
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([mine, left]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}

const noTurn = (): ToolRefusal =>
  new ToolRefusal(
    'workspace.no_turn',
    'Other calls in this workspace took the whole time of the call. Nothing was done.',
  );
