import { newId, type TenantId } from '#lib/kernel';
import { FakeUnitOfWork } from '../../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { StandingRunnerCall } from '../../application/runner-calls.port.js';
import { FakeRunnerCalls } from '../../application/fake-runner-calls.js';
import { sampleOrder } from '../../application/fake-grant.js';
import { KeptRunnerAnswers } from './kept-runner-answers.js';

const error = { code: 'fleet.broken', message: 'It is broken.' };
const unknown = (message: string) => ({ kind: 'unknown', error: { code: 'dispatch.runner_lost', message } });

it.each<[string, StandingRunnerCall['standing'] | null, object | null]>([
  ['nothing of a call that was never offered', null, null],
  ['until when a call is under way', { kind: 'open', until: 7 }, { kind: 'under_way', until: 7 }],
  ['the result', { kind: 'answered', answer: { ok: true, result: 1 } }, { kind: 'succeeded', result: 1 }],
  [
    'the failure',
    { kind: 'answered', answer: { ok: false, effect: 'done', error } },
    { kind: 'failed', effect: 'done', error },
  ],
  ['that no runner took it', { kind: 'not_taken' }, { kind: 'failed', effect: 'not_started' }],
  [
    'which runner was silent',
    { kind: 'lost', runner: { name: 'build-01', revoked: false } },
    unknown('The runner build-01 of the pool builders took the call, and did not answer within its time limit.'),
  ],
  [
    'which runner was revoked',
    { kind: 'lost', runner: { name: 'build-01', revoked: true } },
    unknown('The runner build-01 of the pool builders took the call, and was revoked before it answered.'),
  ],
])('tells %s', async (_what, standing, expected) => {
  const calls = new FakeRunnerCalls();
  calls.offered = standing === null ? null : { pool: 'builders', standing };
  const tenantId = newId<TenantId>();
  const kept = await new FakeUnitOfWork().run(tenantId, (tx) =>
    new KeptRunnerAnswers(calls).of(tx, sampleOrder({ tenantId })),
  );
  if (expected === null) expect(kept).toBeNull();
  else expect(kept).toMatchObject(expected);
});
