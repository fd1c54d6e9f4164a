import type { Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { EARLY_MS, EDIT, POST, TURN_MS } from '../domain/pace-limits.js';
import type { PacedCall, SlackPace } from './slack.ports.js';

interface Pace {
  /** From when the next call may be made. */
  readonly freeAt: number;
  /** The last turn that was given to a reply or an edit. */
  readonly queuedUntil: number;
  /** The last turn that was given to a new message. */
  readonly newUntil: number;
}

/** Keeps the pace of calls in memory. */
export class FakeSlackPace implements SlackPace {
  readonly #paces: FakeTable<Pace>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#paces = new FakeTable(database);
  }

  take(tx: Tx, call: PacedCall): Promise<number> {
    const { now } = this.database;
    const { everyMs, burst } = call.kind === 'edit' ? EDIT : POST;
    const pace = this.#of(tx, call);
    const { freeAt, newUntil } = pace;
    if (freeAt <= now && (call.kind !== 'reply' || newUntil + TURN_MS <= now)) {
      const saved = now - everyMs * (burst - 1);
      const told = call.kind === 'message' && newUntil <= now ? -Infinity : newUntil;
      this.#save(tx, call, { ...pace, freeAt: Math.max(freeAt, saved) + everyMs, newUntil: told });
      return Promise.resolve(0);
    }
    return Promise.resolve(Math.max(10, this.#turn(tx, call, pace, everyMs) - now));
  }

  hold(tx: Tx, call: PacedCall, delayMs: number): Promise<void> {
    const pace = this.#paces.of(tx).get(keyOf(call));
    if (pace) this.#save(tx, call, { ...pace, freeAt: Math.max(pace.freeAt, this.database.now + delayMs) });
    return Promise.resolve();
  }

  #turn(tx: Tx, call: PacedCall, pace: Pace, everyMs: number): number {
    const { freeAt, newUntil, queuedUntil } = pace;
    const early = freeAt - this.database.now;
    if (early > 0 && early < EARLY_MS) return freeAt;
    if (call.kind === 'message') {
      const turn = Math.max(newUntil + everyMs, freeAt);
      this.#save(tx, call, { ...pace, newUntil: turn });
      return turn;
    }
    const turn = Math.max(queuedUntil + everyMs, freeAt, newUntil + everyMs);
    this.#save(tx, call, { ...pace, queuedUntil: turn });
    return turn;
  }

  #of(tx: Tx, call: PacedCall): Pace {
    const never = { freeAt: -Infinity, queuedUntil: -Infinity, newUntil: -Infinity };
    return this.#paces.of(tx).get(keyOf(call)) ?? never;
  }

  #save(tx: Tx, call: PacedCall, pace: Pace): void {
    this.#paces.of(tx).set(keyOf(call), pace);
  }
}

const keyOf = ({ kind, target }: PacedCall): string => (kind === 'edit' ? '*' : target);
