import type { JsonObject } from '#lib/canonical';
import type { SentCallName } from '#lib/dispatch';
import type { ToolCallResponse } from '#lib/formats';
import type { Tx } from '#lib/kernel';
import type { DispatchState } from '../domain/dispatch-transitions.js';
import type { RunnerDispatchId, RunnerId } from '../domain/ids.js';
import type { HeldOutput } from '../domain/keep-output.js';
import type { Runner } from '../domain/runner.js';
import type { OutputChunk } from './runner.ports.js';

/** A call for a runner, as it is stored. Times are epoch milliseconds. */
export interface RunnerDispatch {
  readonly id: RunnerDispatchId;
  readonly pool: string;
  readonly environment: string;
  readonly executor: string;
  readonly sourceType: string;
  readonly sourceId: string;
  readonly step: string;
  readonly attempt: number;
  readonly tool: string;
  readonly toolVersion: number;
  readonly arguments: JsonObject;
  readonly withSecrets: boolean;
  readonly idempotencyKey: string;
  readonly grantToken: string;
  readonly state: DispatchState;
  readonly offeredAt: number;
  readonly offeredUntil: number;
  readonly answerBy: number;
  readonly runnerId: RunnerId | null;
  readonly takenAt: number | null;
  readonly endedAt: number | null;
  readonly answer: ToolCallResponse | null;
  /** The time from which a worker writes the answer to the record of its source, if it is missing there. Null after that look. */
  readonly handOverAt: number | null;
  /** The number of the last chunk of output that was kept. */
  readonly outputSeq: number;
  readonly outputBytes: number;
  readonly outputCut: boolean;
  readonly outputHeld: HeldOutput;
}

/** The members of a call that change. */
export type DispatchProgress = Pick<
  RunnerDispatch,
  'state' | 'runnerId' | 'takenAt' | 'endedAt' | 'answer' | 'handOverAt'
>;

/** Calls for runners. */
export interface RunnerDispatchRepository {
  insert(tx: Tx, call: RunnerDispatch): Promise<void>;
  find(tx: Tx, id: RunnerDispatchId): Promise<RunnerDispatch | null>;
  /** The calls of a source, in the order of their offers; at most 500. */
  ofSource(tx: Tx, sourceId: string): Promise<readonly RunnerDispatch[]>;
  /** The call of that name that was offered last. Locks its row. */
  lockSent(tx: Tx, call: SentCallName): Promise<RunnerDispatch | null>;
  /** Locks the row until the transaction ends. */
  lock(tx: Tx, id: RunnerDispatchId): Promise<RunnerDispatch | null>;
  /** The call of a pool in one of the environments that waits longest. It is locked, and passed over by every other look. */
  lockWaiting(tx: Tx, of: Pick<Runner, 'pool' | 'environments'>, now: number): Promise<RunnerDispatch | null>;
  /** Whether such a call waits, locked or not. */
  waits(tx: Tx, of: Pick<Runner, 'pool' | 'environments'>, now: number): Promise<boolean>;
  /** A live call that this runner took and does not list, since the answer to its take was lost. */
  lockUndelivered(
    tx: Tx,
    runnerId: RunnerId,
    held: readonly RunnerDispatchId[],
    now: number,
  ): Promise<RunnerDispatch | null>;
  lockTaken(tx: Tx, runnerId: RunnerId): Promise<readonly RunnerDispatch[]>;
  /** Output that is held back goes with the end of the call. */
  save(tx: Tx, id: RunnerDispatchId, progress: DispatchProgress): Promise<void>;
  /** Notes that a worker looked whether the answer is recorded. */
  handedOver(tx: Tx, id: RunnerDispatchId): Promise<void>;
  /** Appends chunks from this number on, and notes how much is kept now. */
  append(
    tx: Tx,
    id: RunnerDispatchId,
    firstSeq: number,
    chunks: readonly OutputChunk[],
    kept: Pick<RunnerDispatch, 'outputSeq' | 'outputBytes' | 'outputCut' | 'outputHeld'>,
  ): Promise<void>;
  /** In order, without chunks that have no text. */
  output(tx: Tx, id: RunnerDispatchId, after: number): Promise<readonly (OutputChunk & { readonly seq: number })[]>;
}
