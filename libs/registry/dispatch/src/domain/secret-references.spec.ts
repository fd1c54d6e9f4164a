import { inlineSecrets, secretReferences, withoutSecrets } from './secret-references.js';

describe('T32: secrets in arguments and answers', () => {
  it('finds every reference once, at any depth, and nothing that only looks like one', () => {
    const value = {
      a: { $secret: 'token@1' },
      b: [{ c: { $secret: 'token@1' } }, { $secret: 'other@2' }],
      d: { $secret: 'not-a-reference@1', more: true },
      e: '$secret',
    };
    expect(secretReferences(value)).toEqual(['token@1', 'other@2']);
  });

  it('puts the value in place of each reference, and keeps arguments that are nothing but one an object', () => {
    const secrets = new Map([['token@1', 'hunter2-hunter2']]);
    const given = { a: { $secret: 'token@1' }, b: [{ $secret: 'token@1' }, { $secret: 'gone@1' }] };
    expect(inlineSecrets(given, secrets)).toEqual({
      a: 'hunter2-hunter2',
      b: ['hunter2-hunter2', { $secret: 'gone@1' }],
    });
    expect(inlineSecrets({ $secret: 'token@1' }, secrets)).toEqual({ $secret: 'token@1' });
  });

  it('takes a secret out of an answer that echoes it, in values and in keys', () => {
    const secrets = new Map([['token@1', 'hunter2-hunter2']]);
    const answer = { log: 'used hunter2-hunter2 twice: hunter2-hunter2', nested: [{ 'hunter2-hunter2': 1 }] };
    const cleaned = withoutSecrets(answer, secrets);
    expect(JSON.stringify(cleaned)).not.toContain('hunter2-hunter2');
    expect(cleaned).toEqual({
      log: 'used [secret token@1] twice: [secret token@1]',
      nested: [{ '[secret token@1]': 1 }],
    });
  });
});
