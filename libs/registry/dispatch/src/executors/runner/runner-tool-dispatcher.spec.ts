import { digestOf, newId, type TenantId } from '#lib/kernel';
import { FakeRunnerCalls } from '../../application/fake-runner-calls.js';
import { sampleOrder } from '../../application/fake-grant.js';
import { describeToolDispatcher } from '../../application/tool-dispatcher.contract.js';
import type { WayOut } from '../executor-kind.js';
import { ExecutorDispatcher } from '../executor-dispatcher.js';
import { runnerKind } from './runner-kind.js';

const settings = { pool: 'builders' };
const unused = (): never => {
  throw new Error('Runners are not connected to.');
};

function outWith(calls: FakeRunnerCalls, changes: Partial<WayOut> = {}): ExecutorDispatcher {
  return new ExecutorDispatcher([runnerKind], {
    issueGrant: { execute: () => Promise.resolve('a.signed.grant') },
    secrets: {
      resolveAll: (_, wanted) => Promise.resolve(new Map(wanted.map((each) => [each.reference, 'hunter22']))),
    },
    agents: { agentFor: unused },
    runnerCalls: calls,
    ...changes,
  });
}

describeToolDispatcher('runnerKind', runnerKind, () => {
  const calls = new FakeRunnerCalls();
  return Promise.resolve({
    dispatcher: outWith(calls),
    executor: { url: null, settings },
    answers: (answer) => {
      calls.end =
        answer === 'dies'
          ? { kind: 'lost', runner: { name: 'build-01', revoked: false } }
          : { kind: 'answered', answer };
    },
    close: () => Promise.resolve(),
  });
});

describe('calling a runner', () => {
  const sample = sampleOrder({ tenantId: newId<TenantId>() });
  const order = { ...sample, executor: { ...sample.executor, kind: 'runner', url: null, settings } };

  it.each([
    ['none', 'The pool builders has no runner for production.'],
    ['elsewhere', 'The runners of the pool builders do not work in production.'],
  ] as const)('does not start if there is %s, and issues no grant', async (reach, why) => {
    const calls = new FakeRunnerCalls();
    calls.pool = reach;
    const end = await outWith(calls, { issueGrant: { execute: unused } }).dispatch(order);
    expect(end).toMatchObject({ kind: 'failed', effect: 'not_started', error: { code: 'dispatch.unreachable' } });
    expect(JSON.stringify(end)).toContain(why);
    // A run resumes, and a call of a session is made again.
    expect(JSON.stringify(end)).toContain(', then try again.');
    expect(calls.calls).toEqual([]);
  });

  it.each(['online', 'offline'] as const)('did not start if no runner took it in time: %s', async (reach) => {
    const calls = new FakeRunnerCalls();
    [calls.pool, calls.end] = [reach, { kind: 'not_taken' }];
    const error = { code: 'dispatch.not_taken' };
    expect(await outWith(calls).dispatch(order)).toMatchObject({ kind: 'failed', effect: 'not_started', error });
    expect(calls.calls).toHaveLength(1);
  });

  it('does not leave if a halt came before it', async () => {
    const calls = new FakeRunnerCalls();
    const end = await outWith(calls, { issueGrant: { execute: () => Promise.resolve(null) } }).dispatch(order);
    expect(end).toMatchObject({ kind: 'failed', effect: 'not_started', error: { code: 'dispatch.overtaken' } });
    expect(calls.calls).toEqual([]);
  });

  it('carries the grant, and no secret: the runner that takes it gets those', async () => {
    const given = { password: { $secret: 'db@1' } };
    const calls = new FakeRunnerCalls();
    calls.end = { kind: 'answered', answer: { ok: true, result: { echo: 'hunter22' } } };
    expect(
      await outWith(calls).dispatch({ ...order, arguments: given, argumentsDigest: digestOf('arguments', given) }),
    ).toEqual({
      kind: 'succeeded',
      result: { echo: '[secret db@1]' },
    });
    expect(calls.calls).toMatchObject([{ pool: 'builders', executor: order.executor.name, grant: 'a.signed.grant' }]);
    expect(JSON.stringify(calls.calls)).not.toContain('hunter22');
  });
});
