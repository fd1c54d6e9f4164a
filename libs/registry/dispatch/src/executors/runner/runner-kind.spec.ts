import { runnerKind } from './runner-kind.js';

it.each<[string, object, string]>([
  ['an address', { url: 'https://a.example/' }, '/url'],
  ['a secret', { secret: 'token@1' }, '/secret'],
])('refuses %s: runners bring keys of their own', (_what, document, pointer) => {
  const read = runnerKind.read({ ...document, settings: { pool: 'builders' } }, () => 'public');
  expect(read).toMatchObject({ ok: false, error: [{ pointer, code: 'executor.not_for_a_runner' }] });
});

it('names its pool as the destination', () => {
  expect(runnerKind.destination({ url: null, secret: null, settings: { pool: 'builders' } })).toBe(
    'runners of the pool builders',
  );
});
