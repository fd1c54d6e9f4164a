import {
  checkAudience,
  destinationAsPut,
  executorDigest,
  isAsPut,
  loosenedExecutor,
  readExecutor,
  type ExecutorContent,
} from './executor-document.js';
import { EXECUTOR_KINDS } from '#lib/dispatch';
import type { EnvironmentId } from '#lib/kernel';

const names = { name: 'fleet', environment: 'production' };
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
    const checked = checkAudience(names, content({ sharedAudience: mine }), null, other(theirs));
    expect(checked).toMatchObject({
      ok: false,
      error: [{ pointer: '/audience', code: 'executor.audience_in_use', suggestion: 'fleet.production' }],
    });
    expect(checked.ok ? '' : checked.error[0]?.message).toContain(silent);
  });

  it('is shared if both say so, and if no other environment has it', () => {
    expect(checkAudience(names, content({ sharedAudience: true }), null, other(true)).ok).toBe(true);
    expect(checkAudience(names, content(), null, []).ok).toBe(true);
  });

  it('can be said to be shared first by an executor that shares it already', () => {
    expect(checkAudience(names, content({ sharedAudience: true }), content(), other(false)).ok).toBe(true);
    expect(checkAudience(names, content(), content({ sharedAudience: true }), other(true)).ok).toBe(false);
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

describe('an executor that changes', () => {
  const moved = content({ url: 'https://fleet.example/moved' });
  it.each<[string, ExecutorContent | null, ExecutorContent, readonly string[]]>([
    [
      'is the first',
      null,
      content(),
      ['tools are carried out by https://fleet.example/tools, where nothing carried them out'],
    ],
    [
      'has another address',
      content(),
      moved,
      ['tools are carried out by https://fleet.example/moved, and no longer by https://fleet.example/tools'],
    ],
    [
      'has another setting of its kind',
      content({ settings: { queue: 'jobs', limit: 3 } }),
      content({ settings: { queue: 'work', limit: 3, ordered: true } }),
      ['tools are carried out by https://fleet.example/tools with another queue and ordered'],
    ],
    [
      'has another audience',
      content(),
      content({ audience: 'others' }),
      ['grants are made out to others, and no longer to fleet'],
    ],
    ['has another secret', content(), content({ secret: 'token@2' }), []],
    ['stays as it is', content(), content(), []],
  ])('%s', (_what, before, after, loosens) => {
    expect(loosenedExecutor(EXECUTOR_KINDS, before, after)).toEqual(loosens);
  });

  it('loosens by another kind', () => {
    for (const agent of [content({ kind: 'agent', url: null }), content({ kind: 'agent' })])
      expect(loosenedExecutor(EXECUTOR_KINDS, content(), agent)).toHaveLength(1);
  });

  it('has another digest by each of its members', () => {
    const id = 'e' as EnvironmentId;
    const all = [
      content(),
      moved,
      content({ kind: 'agent' }),
      content({ audience: 'others' }),
      content({ secret: 'token@1' }),
      content({ settings: { queue: 'jobs' } }),
    ];
    const digests = all.map((each) => executorDigest(id, 'fleet', each));
    digests.push(executorDigest(id, 'other', content()), executorDigest('f' as EnvironmentId, 'fleet', content()));
    expect(new Set(digests).size).toBe(all.length + 2);
  });
});

describe('a document of an executor', () => {
  const document = { kind: 'http', url: 'https://fleet.example/tools', audience: 'fleet' };

  it('describes the executor as it stands, or another one', () => {
    const asPut = (members: object): boolean => isAsPut(EXECUTOR_KINDS, { ...document, ...members }, names, content());
    expect(asPut({})).toBe(true);
    for (const other of [
      { url: 'https://fleet.example/moved' },
      { audience: 'others' },
      { shared_audience: true },
      { secret: 'token@1' },
      { kind: 'ftp' },
    ])
      expect(asPut(other)).toBe(false);
  });

  it('names its destination before it is checked', () => {
    expect(destinationAsPut(EXECUTOR_KINDS, document)).toBe('https://fleet.example/tools');
    expect(destinationAsPut(EXECUTOR_KINDS, { kind: 'http' })).toBe('no address');
    expect(destinationAsPut(EXECUTOR_KINDS, { kind: 'ftp', url: 'ftp://fleet.example' })).toBe('ftp');
  });
});
