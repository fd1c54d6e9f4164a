import { detailView } from './detail-view.js';

const linesOf = (diff: unknown): string[] =>
  String(diff)
    .split('\n')
    .filter((line) => /^[+-](?![+-])/.test(line));

it('shows documents before and after by their difference, whatever the order of their members', () => {
  const before = { url: 'https://a.example', events: ['run.*'], enabled: true };
  const after = { enabled: true, events: ['run.*', 'halt.*'], url: 'https://b.example' };
  const { diff, ...others } = detailView({ name: 'Chat', before, after });
  expect(others).toEqual({ name: 'Chat' });
  expect(linesOf(diff)).toEqual(['-url: https://a.example', '+  - halt.*', '+url: https://b.example']);
});

it('shows each line of a document that is new', () => {
  const { diff } = detailView({ before: null, after: { url: 'https://a.example', enabled: true } });
  expect(linesOf(diff)).toEqual(['+enabled: true', '+url: https://a.example']);
});

it.each([
  { name: 'production', before: true, after: false },
  { roles: ['PlatformAdmin'] },
  { diff: '-a\n+b', cells: [] },
  { after: ['C1'], before: null },
])('leaves other facts as they are: %j', (facts) => {
  expect(detailView(facts)).toEqual(facts);
});
