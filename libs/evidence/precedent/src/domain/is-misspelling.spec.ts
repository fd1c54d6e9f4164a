import { isMisspelling } from './is-misspelling.js';

it.each([
  ['neighbours in each other’s place', 'kernle', 'kernel'],
  ['neighbours in a short word', 'cahc', 'cach'],
  ['a letter too many', 'deplooy', 'deploy'],
  ['a missing letter', 'depoy', 'deploy'],
  ['a missing letter at the end', 'deplo', 'deploy'],
  ['a wrong letter', 'dwploy', 'deploy'],
  ['no error, and an ending', 'certifci', 'certif'],
  ['a wrong letter, and an ending', 'credentail', 'credenti'],
  ['a letter too many, and an ending', 'rotaitng', 'rotat'],
])('takes %s for a typing error: %s', (_what, word, stem) => {
  expect(isMisspelling(word, stem)).toBe(true);
});

it.each([
  ['undeploy', 'deploy'],
  ['disconnect', 'connect'],
  ['lock', 'block'],
  ['rollback', 'roll'],
  ['depo', 'deploy'],
])('takes another word for none: %s for %s', (word, stem) => {
  expect(isMisspelling(word, stem)).toBe(false);
});
