import { resultFacts } from './result-facts.js';

describe('how a call ended, of its result', () => {
  it.each<[string, unknown, readonly [string, boolean][]]>([
    ['a line that ended well', { exit_status: 0, stdout: '' }, [['exit status 0', true]]],
    ['a line that failed', { exit_status: 127 }, [['exit status 127', false]]],
    ['a script over its time', { exit_code: null, timed_out: true }, [['stopped at its time limit', false]]],
    [
      'a line whose output is longer than the runner keeps',
      { exit_status: 0, stdout_truncated: true, stderr_truncated: false },
      [
        ['exit status 0', true],
        ['output cut off at its limit', false],
      ],
    ],
    ['a line whose output is whole', { stdout_truncated: false, stderr_truncated: false }, []],
    [
      'a write with checks',
      {
        checks: [
          { script: 'test', passed: false, exit_code: 1 },
          { script: 'lint', passed: true },
        ],
      },
      [
        ['check test failed', false],
        ['check lint passed', true],
      ],
    ],
    ['a result of another shape', { exit_status: '0', checks: [null, 'test', { script: 1 }] }, []],
    ['a text', 'done', []],
    ['a list', [1], []],
    ['nothing', null, []],
  ])('is told of %s', (_what, result, expected) => {
    expect(resultFacts(result).map(({ words, good }) => [words, good])).toEqual(expected);
  });
});
