import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Cell } from '#lib/cell-map';

const ASK_WITHIN_MS = 2_000;
/** So long an answer counts without a further question. Keys are published ten minutes before their use. */
const FRESH_MS = 5_000;
/** The keys of a cell that is down are told for so long. Grants that the cell made live for a minute. */
const KEPT_MS = 3_600_000;
const MAX_BYTES = 262_144;

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kid: z.string() })).max(100) });
type Key = z.infer<typeof keySetSchema>['keys'][number];

/** The union of the key sets of all cells, since they share one issuer. */
export class KeyUnion {
  readonly #known = new Map<string, { readonly keys: readonly Key[]; readonly at: number }>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly now: () => number,
  ) {}

  /** Each key once; if two cells name different keys alike, the first cell by name counts. Null if no cell is known to have any. */
  async read(cells: readonly Cell[]): Promise<{ readonly keys: readonly Key[] } | null> {
    await Promise.all(cells.map((cell) => this.#refresh(cell)));
    const sets = cells.map(({ name }) => this.#known.get(name)).filter((set) => set !== undefined);
    const alive = sets.filter(({ at }) => this.now() - at < KEPT_MS);
    if (alive.length === 0) return null;
    const union = new Map<string, Key>();
    for (const { keys } of alive) for (const key of keys) if (!union.has(key.kid)) union.set(key.kid, key);
    return { keys: [...union.values()] };
  }

  async #refresh(cell: Cell): Promise<void> {
    const { name } = cell;
    if (this.now() - (this.#known.get(name)?.at ?? -Infinity) < FRESH_MS) return;
    const asking =
      this.#asking.get(name) ??
      this.#ask(cell).finally(() => {
        this.#asking.delete(name);
      });
    this.#asking.set(name, asking);
    await asking;
  }

  async #ask({ name, url }: Cell): Promise<void> {
    try {
      const answer = await this.dispatcher.request({
        origin: url,
        path: '/.well-known/jwks.json',
        method: 'GET',
        signal: AbortSignal.timeout(ASK_WITHIN_MS),
      });
      const text = await limited(answer.body);
      if (answer.statusCode !== 200 || text === null) return;
      this.#known.set(name, { keys: keySetSchema.parse(JSON.parse(text)).keys, at: this.now() });
    } catch {
      // It is down, or says something else: its last known keys stand.
    }
  }
}

async function limited(body: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
