import { judgePaths } from '#lib/shell-safety';
import { chosenPaths } from './chosen-paths.js';

describe('the paths that a pattern chooses', () => {
  it.each([
    ['src/a.ts', ['src/a.ts']],
    ['**/*.ts', ['**/*.ts', '**/..ts', '**/.ts']],
    ['*env', ['*env', '.env', 'env']],
    ['*', ['*']],
    ['a b,c', ['a', 'a b,c', 'b', 'b,c', 'c']],
    ['{a,b{c,}}/d', ['a/d', 'b/d', 'bc/d']],
    ['a{b', ['a{b']],
    ['[.]env', ['.env', '?env', 'env']],
  ])('%s are %j', (pattern, paths) => {
    expect(chosenPaths(pattern)).toEqual(paths);
  });

  it('are too many to judge', () => {
    expect(chosenPaths('{a,b}'.repeat(7))).toBeNull();
  });

  it.each(['.env', '**/.{env,npmrc}', '{.env,x}', '*.ts .env', '*.ts,.env', '[.]env', '?env', '*.npmrc', 'id_[re]*'])(
    '%s reach a secret',
    (pattern) => {
      expect(judgePaths({ reads: chosenPaths(pattern) ?? [], writes: [] }).tier).toBe(2);
    },
  );

  it.each(['**/*.ts', '*.{ts,tsx}', 'src/**/*.spec.ts', '**/*', '*.md *.json'])('%s reach none', (pattern) => {
    expect(judgePaths({ reads: chosenPaths(pattern) ?? [], writes: [] }).tier).toBe(1);
  });
});
