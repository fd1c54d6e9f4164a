import { v7 } from 'uuid';
import type { JobQueue, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Interaction } from '../domain/interaction.js';
import type { ReceivedInteraction, SlackInteractions } from './slack.ports.js';

interface Row extends ReceivedInteraction {
  readonly body: string;
  readonly nextAttemptAt: number;
  readonly outcome: string | null;
}

/** Keeps interactions in memory. */
export class FakeSlackInteractions implements SlackInteractions {
  readonly #rows: FakeTable<Row>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly jobs: JobQueue,
  ) {
    this.#rows = new FakeTable(database);
  }

  async receive(tx: Tx, bodyDigest: Uint8Array, interaction: Interaction): Promise<string | null> {
    const body = Buffer.from(bodyDigest).toString('hex');
    if (this.of(tx).some((row) => row.body === body)) return null;
    const id = v7();
    const row = { id, body, interaction, attempts: 0, nextAttemptAt: this.database.now, outcome: null };
    this.#rows.of(tx).set(id, row);
    await this.jobs.enqueue(tx, 'slack.interaction', id);
    return id;
  }

  claim(tx: Tx, id: string, leaseMs: number): Promise<ReceivedInteraction | null> {
    const row = this.#rows.of(tx).get(id);
    if (row?.outcome !== null || row.nextAttemptAt > this.database.now) return Promise.resolve(null);
    const attempts = row.attempts + 1;
    this.#rows.of(tx).set(id, { ...row, attempts, nextAttemptAt: this.database.now + leaseMs });
    return Promise.resolve({ id, interaction: row.interaction, attempts });
  }

  giveBack(tx: Tx, { id, attempts }: Pick<ReceivedInteraction, 'id' | 'attempts'>, afterMs: number): Promise<void> {
    const row = this.#rows.of(tx).get(id);
    if (row?.outcome === null && row.attempts === attempts)
      this.#rows.of(tx).set(id, { ...row, nextAttemptAt: this.database.now + afterMs });
    return Promise.resolve();
  }

  done(tx: Tx, id: string, outcome: string): Promise<void> {
    const row = this.#rows.of(tx).get(id);
    if (row?.outcome === null) this.#rows.of(tx).set(id, { ...row, outcome });
    return Promise.resolve();
  }

  /** All that the tenant has received, in order. */
  of(tx: Pick<Tx, 'tenantId'>): readonly Row[] {
    return [...this.#rows.of(tx).values()];
  }
}
