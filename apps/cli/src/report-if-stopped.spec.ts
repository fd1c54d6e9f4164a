import { reportIfStopped } from './report-if-stopped.js';

describe('a command that a signal ends', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('says something, and ends by %s all the same', async (signal) => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    const said: string[] = [];
    const listening = process.listenerCount(signal);
    const result = await reportIfStopped(
      () => said.push('stopped'),
      async () => {
        process.emit(signal, signal);
        await Promise.resolve();
        // Nothing keeps the second signal from its default: it ends the process.
        expect(process.listenerCount(signal)).toBe(listening);
        return 7;
      },
    );
    expect([result, said, kill.mock.calls]).toEqual([7, ['stopped'], [[process.pid, signal]]]);
  });

  it('says nothing once its work is over, or failed', async () => {
    const listening = process.listenerCount('SIGINT');
    const say = jest.fn();
    expect(await reportIfStopped(say, () => Promise.resolve('done'))).toBe('done');
    await expect(reportIfStopped(say, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect([process.listenerCount('SIGINT'), say.mock.calls]).toEqual([listening, []]);
  });
});
