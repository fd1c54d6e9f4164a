import { newId } from '#lib/kernel';
import type { RunnerDispatchId } from '../domain/ids.js';
import type { RunnerDispatch } from './runner-dispatch.ports.js';

/** A call that was offered `now` to a pool of its own. */
export const sampleDispatch = (now: number, changes: Partial<RunnerDispatch> = {}): RunnerDispatch => ({
  id: newId<RunnerDispatchId>(),
  pool: `pool-${newId()}`,
  environment: 'staging',
  executor: 'workspace',
  sourceType: 'run',
  sourceId: newId(),
  step: 's',
  attempt: 1,
  tool: 'file-read',
  toolVersion: 1,
  arguments: { path: 'a\u0000b' },
  withSecrets: false,
  idempotencyKey: 'k',
  grantToken: 'a grant',
  state: 'waiting',
  offeredAt: now,
  offeredUntil: now + 10_000,
  answerBy: now + 20_000,
  runnerId: null,
  takenAt: null,
  endedAt: null,
  answer: null,
  handOverAt: null,
  outputSeq: 0,
  outputBytes: 0,
  outputCut: false,
  outputHeld: null,
  ...changes,
});
