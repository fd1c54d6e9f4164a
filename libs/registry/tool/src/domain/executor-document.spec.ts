import {
  checkAudience,
  executorDigest,
  loosenedExecutor,
  readExecutor,
  type ExecutorContent,
} from './executor-document.js';
import { EXECUTOR_KINDS } from '#lib/dispatch';
import type { EnvironmentId } from '#lib/kernel';

const place = { name: 'fleet', environment: 'production' };
const content = (changes: Partial<ExecutorContent> = {}): ExecutorContent => ({
  kind: 'http',
  url: 'https://fleet.example/tools',
  audience: 'fleet',
  sharedAudience: false,
  secret: null,
  settings: {},
  ...changes,
});

describe('the audience of an executor', () => {
  it.each(['production', 'staging'])('differs by environment if it is left out: %s', (environment) => {
    const read = readExecutor(
      EXECUTOR_KINDS,
      { kind: 'http', url: 'https://fleet.example/' },
      { name: 'fleet', environment },
      () => 'public',
    );
    expect(read).toMatchObject({ ok: true, value: { audience: `fleet.${environment}`, sharedAudience: false } });
    expect(
      readExecutor(EXECUTOR_KINDS, { kind: 'agent' }, { name: 'fleet', environment }, () => 'public'),
    ).toMatchObject({
      value: { audience: `fleet.${environment}` },
    });
  });

  const other = (sharedAudience: boolean) => [{ name: 'fleet', environment: 'development', sharedAudience }];

  it.each<[string, boolean, boolean, string]>([
    ['neither says so', false, false, 'this one of production and fleet of development does not'],
    ['only this one says so', true, false, 'fleet of development does not'],
    ['only the other says so', false, true, 'this one of production does not'],
  ])('is refused if another environment has it and %s', (_, mine, theirs, silent) => {
    const checked = checkAudience(place, content({ sharedAudience: mine }), null, other(theirs));
    expect(checked).toMatchObject({
      ok: false,
      error: [{ pointer: '/audience', code: 'executor.audience_in_use', suggestion: 'fleet.production' }],
    });
    expect(checked.ok ? '' : checked.error[0]?.message).toContain(silent);
  });

  it('is shared if both say so, and if no other environment has it', () => {
    expect(checkAudience(place, content({ sharedAudience: true }), null, other(true)).ok).toBe(true);
    expect(checkAudience(place, content(), null, []).ok).toBe(true);
  });

  it('can be said to be shared first by an executor that shares it already', () => {
    expect(checkAudience(place, content({ sharedAudience: true }), content(), other(false)).ok).toBe(true);
    expect(checkAudience(place, content(), content({ sharedAudience: true }), other(true)).ok).toBe(false);
  });

  it('loosens when it becomes shared, and binds approvals', () => {
    const shared = content({ sharedAudience: true });
    expect(loosenedExecutor(EXECUTOR_KINDS, content(), shared)).toEqual([
      'executors of other environments may have the audience fleet, too',
    ]);
    expect(loosenedExecutor(EXECUTOR_KINDS, null, shared)).toHaveLength(2);
    expect(loosenedExecutor(EXECUTOR_KINDS, shared, content())).toEqual([]);
    const id = 'e' as EnvironmentId;
    expect(executorDigest(id, 'fleet', shared)).not.toBe(executorDigest(id, 'fleet', content()));
  });
});
