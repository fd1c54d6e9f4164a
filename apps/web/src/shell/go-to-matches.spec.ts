import { matchesOf } from './go-to-matches.js';

it('finds pages by a part of their name', () => {
  expect(matchesOf('  RUN ').map(({ path }) => path)).toEqual(['/runs']);
  expect(matchesOf('').length).toBeGreaterThan(8);
  expect(matchesOf('no such page')).toEqual([]);
});

it('offers, for an id, whatever may have it', () => {
  const id = '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a';
  expect(matchesOf(id.toUpperCase()).map(({ path }) => path)).toContain(`/requests/${id}`);
});
