import { slugOf } from './slug-of.js';

it.each([
  ['Acme', 'acme'],
  ['Acme GmbH & Co. KG', 'acme-gmbh-co-kg'],
  ['  Ångström Übung ', 'angstrom-ubung'],
  ['日本', ''],
  ['x'.repeat(80), 'x'.repeat(63)],
])('%j is %j for short', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
