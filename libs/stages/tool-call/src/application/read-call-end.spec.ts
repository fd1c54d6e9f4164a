import { newId, type DecisionId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { ALLOWED_FOR_MS, type ToolCall } from '../domain/tool-call.js';
import { sampleProgress, sampleToolCall } from './fake-tool-call.js';
import { ReadCallEnd } from './read-call-end.js';

const { uow, home } = fakeWorld();
const allowed = sampleToolCall(home, { decisionId: newId<DecisionId>() });
const of = (call: ToolCall | null) => {
  const reading = new ReadCallEnd({ find: () => Promise.resolve(call) });
  return uow.run(home.tenantId, (tx) => reading.of(tx, allowed.id));
};

describe('the end of a call', () => {
  it('is awaited while the call may still leave, and is a failure once its time is over', async () => {
    if (allowed.state !== 'allowed') throw new Error('the sample is allowed');
    uow.now = allowed.allowedUntil - 1;
    expect(await of(allowed)).toBeNull();
    uow.now = allowed.allowedUntil + ALLOWED_FOR_MS;
    expect(await of(allowed)).toMatchObject({ kind: 'failed', fault: { code: 'tool_call.expired' } });
  });

  it('is a failure if it was denied', async () => {
    const denied: ToolCall = { ...allowed, ...sampleProgress(null).denied };
    expect(await of(denied)).toMatchObject({ kind: 'failed', fault: { code: 'tool_call.denied' } });
  });

  it('is a failure if its outcome is unknown, or if the call is not on record', async () => {
    const unknown: ToolCall = { ...allowed, ...sampleProgress(null).unknown };
    expect(await of(unknown)).toEqual({ kind: 'failed', fault: sampleProgress(null).unknown.error });
    expect(await of(null)).toMatchObject({ kind: 'failed', fault: { code: 'tool_call.gone' } });
  });
});
