import { MoreThan, Not } from 'typeorm';
import { z } from 'zod';
import { canonicalJson } from '#lib/canonical';
import type { SentCallName } from '#lib/dispatch';
import { anyJsonObject, parsedPlainText, parsedText, rowsOf, sqlOf, type RowOf } from '#lib/database';
import { toolCallResponseSchema, type ToolCallResponse } from '#lib/formats';
import type { Tx } from '#lib/kernel';
import type { SealedTexts } from '#lib/tenancy';
import type {
  DispatchProgress,
  RunnerDispatch,
  RunnerDispatchRepository,
} from '../application/runner-dispatch.ports.js';
import type { HeldOutput } from '../domain/keep-output.js';
import type { Runner } from '../domain/runner.js';
import type { OutputChunk } from '../application/runner.ports.js';
import type { RunnerDispatchId, RunnerId } from '../domain/ids.js';
import { runnerDispatchEntity, runnerOutputEntity } from './runner.entity.js';

const COLUMN = runnerDispatchEntity.column;

const CALL = runnerDispatchEntity.all;
const OUTPUT = runnerOutputEntity.all;
const MAX_DISPATCHES = 500;

/** Calls for runners in PostgreSQL, tables runner_dispatch and runner_output. */
export class SqlRunnerDispatchRepository implements RunnerDispatchRepository {
  /** @param texts output that is held back may be the beginning of a secret (T32). */
  constructor(private readonly texts: SealedTexts) {}

  async insert(tx: Tx, call: RunnerDispatch): Promise<void> {
    const { arguments: given, answer, outputHeld, ...plain } = call;
    await rowsOf(tx, runnerDispatchEntity).insert({
      ...plain,
      arguments: canonicalJson(given),
      answer: answer === null ? null : textOf(answer),
      outputHeld: await this.#sealed(tx, call.id, outputHeld),
    });
  }

  async find(tx: Tx, id: RunnerDispatchId): Promise<RunnerDispatch | null> {
    const row = await rowsOf(tx, runnerDispatchEntity).findOne({ id });
    return row === null ? null : this.#callOf(tx, row);
  }

  async ofSource(tx: Tx, sourceId: string): Promise<readonly RunnerDispatch[]> {
    const order = { offeredAt: 'asc', id: 'asc' } as const;
    const rows = await rowsOf(tx, runnerDispatchEntity).find({ sourceId }, { order, limit: MAX_DISPATCHES });
    return Promise.all(rows.map((row) => this.#callOf(tx, row)));
  }

  async lock(tx: Tx, id: RunnerDispatchId): Promise<RunnerDispatch | null> {
    const row = await rowsOf(tx, runnerDispatchEntity).findOne({ id }, { lock: 'update' });
    return row === null ? null : this.#callOf(tx, row);
  }

  async lockSent(tx: Tx, { source, step, attempt, idempotencyKey }: SentCallName): Promise<RunnerDispatch | null> {
    const named = { sourceType: source.type, sourceId: source.id, step, attempt, idempotencyKey };
    const order = { offeredAt: 'desc', id: 'desc' } as const;
    const [row] = await rowsOf(tx, runnerDispatchEntity).find(named, { order, limit: 1, lock: 'update' });
    return row === undefined ? null : this.#callOf(tx, row);
  }

  lockWaiting(
    tx: Tx,
    { pool, environments }: Pick<Runner, 'pool' | 'environments'>,
    now: number,
  ): Promise<RunnerDispatch | null> {
    return this.#lockOne(tx, `${WAITING} order by ${COLUMN.offeredAt}, ${COLUMN.id}`, [
      pool,
      [...environments],
      new Date(now),
    ]);
  }

  async waits(tx: Tx, { pool, environments }: Pick<Runner, 'pool' | 'environments'>, now: number): Promise<boolean> {
    const rows = await sqlOf(tx).query(`select from runner_dispatch where tenant_id = $1 and ${WAITING} limit 1`, [
      ...[tx.tenantId, pool, [...environments], new Date(now)],
    ]);
    return rows.length > 0;
  }

  lockUndelivered(
    tx: Tx,
    runnerId: RunnerId,
    held: readonly RunnerDispatchId[],
    now: number,
  ): Promise<RunnerDispatch | null> {
    return this.#lockOne(
      tx,
      `${COLUMN.runnerId} = $2 and ${COLUMN.state} = 'taken' and ${COLUMN.answerBy} > $3 and ${COLUMN.id} <> all ($4::uuid[])
         order by ${COLUMN.takenAt}, ${COLUMN.id}`,
      [runnerId, new Date(now), [...held]],
    );
  }

  async lockTaken(tx: Tx, runnerId: RunnerId): Promise<readonly RunnerDispatch[]> {
    const rows = await rowsOf(tx, runnerDispatchEntity).find({ runnerId, state: 'taken' }, { lock: 'update' });
    return Promise.all(rows.map((row) => this.#callOf(tx, row)));
  }

  async save(tx: Tx, id: RunnerDispatchId, progress: DispatchProgress): Promise<void> {
    const { state, runnerId, takenAt, endedAt, answer, handOverAt } = progress;
    await rowsOf(tx, runnerDispatchEntity).update(
      { id },
      {
        ...{ state, runnerId, takenAt, endedAt, answer: answer === null ? null : textOf(answer), handOverAt },
        ...(endedAt === null ? {} : { outputHeld: null }),
      },
    );
  }

  async handedOver(tx: Tx, id: RunnerDispatchId): Promise<void> {
    await rowsOf(tx, runnerDispatchEntity).update({ id }, { handOverAt: null });
  }

  async append(
    tx: Tx,
    id: RunnerDispatchId,
    firstSeq: number,
    chunks: readonly OutputChunk[],
    kept: Pick<RunnerDispatch, 'outputSeq' | 'outputBytes' | 'outputCut' | 'outputHeld'>,
  ): Promise<void> {
    if (chunks.length > 0)
      await sqlOf(tx).execute(
        `insert into ${OUTPUT.into}
         select $1, $2, $3 + ordinal - 1, stream, text, clock_timestamp()
           from unnest($4::text[], $5::text[]) with ordinality as chunk (stream, text, ordinal)`,
        [tx.tenantId, id, firstSeq, chunks.map(({ stream }) => stream), chunks.map(({ text }) => text)],
      );
    await rowsOf(tx, runnerDispatchEntity).update(
      { id },
      {
        outputSeq: kept.outputSeq,
        outputBytes: kept.outputBytes,
        outputCut: kept.outputCut,
        outputHeld: await this.#sealed(tx, id, kept.outputHeld),
      },
    );
  }

  async output(
    tx: Tx,
    id: RunnerDispatchId,
    after: number,
  ): Promise<readonly (OutputChunk & { readonly seq: number })[]> {
    const told = { dispatchId: id, seq: MoreThan(after), text: Not('') };
    const rows = await rowsOf(tx, runnerOutputEntity).find(told, { order: { seq: 'asc' } });
    return rows.map(({ seq, stream, text }) => ({ seq, stream, text }));
  }

  async #lockOne(tx: Tx, condition: string, parameters: readonly unknown[]): Promise<RunnerDispatch | null> {
    const [row] = await sqlOf(tx).query<object>(
      `select ${CALL.columns('runner_dispatch')} from runner_dispatch
        where tenant_id = $1 and ${condition} limit 1 for update skip locked`,
      [tx.tenantId, ...parameters],
    );
    return row === undefined ? null : this.#callOf(tx, CALL.row(row));
  }

  async #sealed(tx: Tx, id: RunnerDispatchId, held: HeldOutput): Promise<string | null> {
    return held === null ? null : this.texts.seal(purposeOf(tx, id), JSON.stringify(held));
  }

  /** JSON as text rather than jsonb, which has no NUL: a name of a file may hold one. */
  async #callOf(tx: Tx, row: RowOf<typeof runnerDispatchEntity>): Promise<RunnerDispatch> {
    const { arguments: given, answer, outputHeld, ...plain } = row;
    const at = (column: string) => ({ table: 'runner_dispatch', column, id: row.id });
    const held = outputHeld === null ? null : await this.texts.open(purposeOf(tx, row.id), outputHeld);
    return {
      ...plain,
      arguments: parsedText(anyJsonObject, given, at('arguments')),
      answer: answer === null ? null : parsedText(toolCallResponseSchema, answer, at('answer')),
      outputHeld: held === null ? null : parsedPlainText(heldSchema, held, at('output_held')),
    };
  }
}

const WAITING = `${COLUMN.pool} = $2 and ${COLUMN.environment} = any ($3) and ${COLUMN.state} = 'waiting' and ${COLUMN.offeredUntil} > $4`;

const heldSchema = z.object({ stdout: z.array(z.string()), stderr: z.array(z.string()) });

const purposeOf = (tx: Tx, id: RunnerDispatchId): string => `runner-output:${tx.tenantId}:${id}`;

const textOf = (answer: ToolCallResponse): string => canonicalJson(answer);
