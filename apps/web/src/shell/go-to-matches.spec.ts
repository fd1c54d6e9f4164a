import type { FindingView } from '#lib/api-schemas';
import { matchesOf } from './go-to-matches.js';

const found: FindingView = {
  kind: 'run',
  id: '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a',
  title: 'execute_rollout_prod on 47 targets',
  said: null,
  state: 'completed',
  environment: { name: 'production', production: true },
  at: '2026-11-22T08:00:00.000Z',
};

it('finds pages by a part of their name', () => {
  expect(matchesOf('  RUN ').map(({ to }) => to)).toEqual([{ path: '/runs' }]);
  expect(matchesOf('').length).toBeGreaterThan(8);
  expect(matchesOf('no such page')).toEqual([]);
});

it('finds actions', () => {
  expect(matchesOf('halt').map(({ to }) => to)).toEqual([{ act: 'halt' }, { path: '/halts' }]);
});

it('lists the things found after the pages', () => {
  expect(matchesOf('run', [found]).map(({ kind, to }) => [kind, to])).toEqual([
    ['page', { path: '/runs' }],
    ['run', { path: `/runs/${found.id}` }],
  ]);
});

it('writes the name of a tool so that it is one part of the address', () => {
  const [match] = matchesOf('x', [{ ...found, kind: 'tool', id: 'a/b' }]).slice(-1);
  expect(match?.to).toEqual({ path: '/tools/a%2Fb' });
});

it('lists the thing with the id first, then the things that belong to it', () => {
  const request: FindingView = { ...found, kind: 'request', id: '0198f2a4-7c11-7e1a-9d55-000000000001' };
  expect(matchesOf('3d4c5b6a', [request, found]).map(({ kind }) => kind)).toEqual(['run', 'request']);
  expect(matchesOf('rollout', [request, found]).map(({ kind }) => kind)).toEqual(['request', 'run']);
});
