import { withSearchedFolder } from './searched-folder.js';

describe('the folder of a search for files', () => {
  it.each([
    [{ pattern: '**/*.ts' }, undefined],
    [{ pattern: 'src/**/*.ts', path: 'lib' }, 'lib'],
    [{ pattern: '/etc/**' }, '/etc'],
    [{ pattern: '/etc/hosts', path: 'src' }, '/etc'],
    [{ pattern: '/*', path: 'src' }, '/'],
    [{ pattern: '../other/*', path: 'src' }, 'other'],
    [{ pattern: '../../*' }, '../..'],
    [{ pattern: '*/../../x*' }, '../..'],
    [{ pattern: '~/*' }, '~'],
    [{ pattern: ' /etc/*' }, ' /etc'],
    [{ pattern: 7 }, undefined],
  ])('of %j is %j', (input, path) => {
    expect(withSearchedFolder(input).path).toBe(path);
  });
});
