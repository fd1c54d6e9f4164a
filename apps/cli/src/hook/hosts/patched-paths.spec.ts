import { patchedPaths } from './patched-paths.js';

describe('the paths of a patch', () => {
  it.each([
    ['*** Add File: a', ['a']],
    ['*** Add File:a', ['a']],
    ['  *** Delete File:   a b  \r', ['a b']],
    ['\u00a0*** Update File: a', ['a']],
    ['*** Update File: a\n*** Move to: ../b', ['a', '../b']],
    ['+*** Add File: a', ['a']],
    ['*** Add File: a *** Add File: b', ['a *** Add File: b']],
    ['*** Begin Patch\r\n*** Add File: a\r\n+/*** b\n+**bold**\n*** End of File\n*** End Patch\n', ['a']],
    ['', []],
  ])('of %j are %j', (patch, paths) => {
    expect(patchedPaths(patch)).toEqual({ paths });
  });

  it.each([
    '\u0085*** Add File: a',
    '*** Add File: ok\r/../../a',
    '*** Add File: ok\u2028/../../a',
    '*** Add File: ok\u2029/../../a',
    '*** Add File: ok\ta',
    '*** Add File:',
    '*** add file: a',
    '***  Add File: a',
    '***Add File: a',
    ' *** Copy File: a',
    '\ufeff*** Rename to: a',
    '*** Add\u200bFile: a',
  ])('are not certain in %j', (line) => {
    expect(patchedPaths(`*** Begin Patch\n${line}\n*** End Patch`)).toMatchObject({
      refusal: { code: 'hook.patch_unclear', message: expect.stringContaining('Line 2 ') as string },
    });
  });
});
