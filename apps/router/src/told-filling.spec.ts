import { toldFilling } from './told-filling.js';

it('warns of slugs that another cell holds when they change, and not at each reading', () => {
  const [info, warn] = [jest.fn(), jest.fn()];
  const tell = toldFilling({ info, warn }, 'eu1');
  for (const taken of [['acme'], ['acme'], ['acme', 'beta'], [], ['acme']]) tell({ added: 0, taken });
  expect(warn.mock.calls.map(([{ slugs }]: [{ slugs: string[] }]) => slugs)).toEqual([
    ['acme'],
    ['acme', 'beta'],
    ['acme'],
  ]);
  expect(info).not.toHaveBeenCalled();
});
