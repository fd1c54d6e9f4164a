import { cleaned, maskedBeginning } from './cleaned.js';

describe('a cleaned value', () => {
  it('has no NUL and no half of a character, in keys too', () => {
    expect(cleaned({ 'a\0': ['b\0', '\uD83D', 1, null, true] })).toEqual({
      'a\uFFFD': ['b\uFFFD', '\uFFFD', 1, null, true],
    });
  });
});

describe('T32: the masked beginning of a text', () => {
  const token = `ghp_${'a'.repeat(36)}`;

  it('has no secret with NUL inside', () => {
    expect(maskedBeginning(`ghp_${'a'.repeat(18)}\0${'b'.repeat(18)}`, 100)).toBe('[masked]');
    expect(maskedBeginning('no access for tok\0en', 100, (text) => text.replaceAll('token', '[hidden]'))).toBe(
      'no access for [hidden]',
    );
  });

  it('has no part of a secret before the cut', () => {
    for (const lead of [0, 80, 90, 95]) {
      const beginning = maskedBeginning(`${'x'.repeat(lead)} ${token}`, 100);
      expect(beginning).not.toContain('ghp_');
      expect(beginning.length).toBeLessThanOrEqual(100);
    }
  });

  it('has no half of a character, before the cut or at it', () => {
    expect(maskedBeginning('\uD83Dabc\u{1f600}', 5)).toBe('\uFFFDabc\uFFFD');
  });
});
