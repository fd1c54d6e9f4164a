import { headingsOf } from './headings.js';

it('has the sections of a Markdown file, and no heading inside a fence', () => {
  const text = ['# One', 'a', '## Two', '```sh', '# no heading', '```', '## Three ##', '# Four'];
  expect(headingsOf(text)).toMatchObject([
    {
      ...{ first: 0, last: 6, name: 'One', members: ['Two', 'Three'] },
      children: [
        { first: 2, last: 5, name: 'Two', kind: 'section' },
        { first: 6, last: 6, name: 'Three' },
      ],
    },
    { first: 7, last: 7, name: 'Four', children: [] },
  ]);
});
