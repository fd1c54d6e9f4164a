import { readFileSync } from 'node:fs';
import type { DispatchOutcome } from '#lib/dispatch';
import { attemptEnd, EXECUTION_TRANSITIONS, WAITS_MS } from './hook-execution.js';

it('the lifecycle is the one that the database enforces', () => {
  const migration = readFileSync('migrations/0187_lifecycle_hook.sql', 'utf8');
  const [, rows = ''] = /insert into lifecycle_hook_execution_transition [^;]+?values([^;]+);/.exec(migration) ?? [];
  const inserted = [...rows.matchAll(/\(([^)]*)\)/g)].map(([, row = '']) =>
    row.split(', ').map((cell) => cell.slice(1, -1)),
  );
  expect(inserted).toEqual(EXECUTION_TRANSITIONS.map(({ from, event, to }) => [from ?? '', event, to]));
});

const error = (code: string) => ({ code, message: 'because' });
const notStarted = (code: string): DispatchOutcome => ({ kind: 'failed', effect: 'not_started', error: error(code) });

describe('the end of an attempt', () => {
  it.each<[string, DispatchOutcome, object]>([
    ['a status of 0', { kind: 'succeeded', result: { exit_status: 0, output: 'told' } }, { state: 'succeeded' }],
    ['another status', { kind: 'succeeded', result: { exit_status: 3, output: '' } }, { state: 'failed' }],
    ['no status', { kind: 'succeeded', result: { exit_status: null, output: '' } }, { state: 'failed' }],
    ['no result', { kind: 'succeeded', result: null }, { state: 'failed' }],
    ['a time limit', { kind: 'failed', effect: 'done', error: error('lifecycle_hook.timed_out') }, { state: 'failed' }],
    ['a program that is not listed', notStarted('lifecycle_hook.not_listed'), { state: 'refused' }],
    ['a runner without hooks', notStarted('runner.no_such_tool'), { state: 'refused' }],
    ['no runner', notStarted('dispatch.unreachable'), { kind: 'later' }],
    ['no runner in time', notStarted('dispatch.not_taken'), { kind: 'later' }],
    ['a runner that ended before', notStarted('runner.restarted'), { kind: 'later' }],
  ])('%s', (_what, outcome, expected) => {
    expect(attemptEnd(outcome, 0)).toMatchObject(expected);
  });

  it.each(['dispatch.runner_lost', 'runner.died', 'grant.already_redeemed'])(
    'T27: an unclear effect of a hook',
    (code) => {
      // Never later: a program that may have started never starts again.
      expect(attemptEnd({ kind: 'unknown', error: error(code) }, 0)).toMatchObject({
        kind: 'settled',
        state: 'failed',
      });
    },
  );

  it('is the last one once it waited ten minutes', () => {
    expect(attemptEnd(notStarted('dispatch.unreachable'), WAITS_MS)).toMatchObject({ state: 'expired' });
  });

  it('T32: keeps the beginning of the output, masked', () => {
    const output = `token ghp_${'a'.repeat(36)} ${'b'.repeat(30_000)}`;
    const end = attemptEnd({ kind: 'succeeded', result: { exit_status: 0, output } }, 0);
    if (end.kind !== 'settled') throw new Error('it is not over');
    expect(end.said.output).not.toContain('ghp_');
    expect(end.said.output?.length).toBe(16_384);
  });

  it('keeps no half of a character, which no entry of the log can hold', () => {
    const message = `${'x'.repeat(999)}\u{1f600}`;
    const end = attemptEnd({ kind: 'unknown', error: { code: 'runner.died', message } }, 0);
    expect(end).toMatchObject({ said: { fault: { message: `${'x'.repeat(999)}\uFFFD` } } });
  });
});
