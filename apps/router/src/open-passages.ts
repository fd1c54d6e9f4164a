import type { IncomingMessage } from 'node:http';
import type { Cell, Clue } from '#lib/cell-map';
import type { ClientAddresses } from './client-address.js';
import type { CurrentCells } from './current-cells.js';
import { towardsCell } from './forwarded-headers.js';
import type { Passage } from './passage.js';

interface OpenPassage {
  readonly clue: Clue | null;
  readonly cell: Cell;
  readonly end: AbortController;
  lasts: boolean;
}

/**
 * The passages under way. One that lasts, such as a stream or a socket, ends once its tenant is served by another cell. It also
 * ends with the router.
 */
export class OpenPassages {
  readonly #open = new Set<OpenPassage>();
  readonly #stopWatching: () => void;
  #ending = false;

  constructor(
    private readonly cells: Pick<CurrentCells, 'find' | 'onChange'>,
    private readonly addresses: ClientAddresses,
  ) {
    this.#stopWatching = cells.onChange(() => {
      for (const { clue, cell, end, lasts } of this.#open) if (lasts && cells.find(clue)?.url !== cell.url) end.abort();
    });
  }

  /** @returns null if no cell serves it. The caller leaves it at its end. */
  enter(request: IncomingMessage, requestId: string, clue: Clue | null): Passage | null {
    const cell = this.cells.find(clue);
    if (cell === null) return null;
    const peer = request.socket.remoteAddress ?? '';
    const said = this.addresses.trusts(peer) ? request.headers : {};
    const [proto, forwarded] = [said['x-forwarded-proto'], said['x-forwarded-for']];
    const entry: OpenPassage = { clue, cell, end: new AbortController(), lasts: false };
    this.#open.add(entry);
    return {
      cell,
      requestId,
      over: entry.end.signal,
      lasts: () => {
        entry.lasts = true;
        // The router may have begun to end meanwhile.
        if (this.#ending) entry.end.abort();
      },
      headers: towardsCell(request.headers, {
        forwardedFor: this.addresses.forwardedFor(peer, typeof forwarded === 'string' ? forwarded : undefined),
        secure: proto === 'https',
        requestId,
      }),
      leave: () => {
        this.#open.delete(entry);
      },
    };
  }

  /** Ends those that last, now and from now on; the others may still end by themselves. */
  endLasting(): void {
    this.#ending = true;
    for (const { end, lasts } of this.#open) if (lasts) end.abort();
  }

  endAll(): void {
    for (const { end } of this.#open) end.abort();
  }

  stopWatching(): void {
    this.#stopWatching();
  }
}
