import { FailureError } from '#lib/kernel';
import { report } from './report.js';

describe('an error that the operator is told', () => {
  const told = (error: unknown): string => {
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    report(error);
    const text = write.mock.calls.map(([chunk]) => String(chunk)).join('');
    write.mockRestore();
    return text;
  };
  const failure = { kind: 'unavailable', code: 'database.replica_away', message: 'It does not answer.' } as const;

  it('is a failure in words, without a stack', () => {
    expect(told(new FailureError({ ...failure, action: 'Look after it.' }))).toBe(
      'It does not answer. (database.replica_away)\n  Look after it.\n',
    );
    expect(told(new FailureError(failure))).toBe('It does not answer. (database.replica_away)\n');
  });

  it('is any other error with its stack, since nobody foresaw it', () => {
    const error = new Error('no');
    expect(told(error)).toBe(`${String(error.stack)}\n`);
    expect(told('no')).toBe('no\n');
  });
});
