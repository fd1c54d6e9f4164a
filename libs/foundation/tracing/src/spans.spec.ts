import { continueTrace, inSpan, noteOn, traced, traceParent, tracing } from './spans.js';

describe('spans without a tracer', () => {
  it('run the work, and nothing else: no name is asked for, nothing is kept or sent along', async () => {
    let named = 0;
    const name = (): string => `asked ${String((named += 1))} times`;
    const work = (): Promise<string | null> => {
      noteOn({ outcome: 'done' });
      return Promise.resolve(traceParent());
    };
    expect(await inSpan(name, 'part', {}, work)).toBeNull();
    expect(await continueTrace('job', 'nonsense', {}, work)).toBeNull();
    expect([named, traced(), tracing()]).toEqual([0, false, false]);
  });

  it('pass on the error that the work throws', async () => {
    const broken = (): Promise<never> => Promise.reject(new Error('broken'));
    await expect(inSpan('part', 'part', {}, broken)).rejects.toThrow('broken');
    await expect(continueTrace('job', null, {}, broken)).rejects.toThrow('broken');
  });
});
