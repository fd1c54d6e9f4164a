import { partsInWords, reasonsInWords, shellInWords, verdictInWords } from './line-in-words.js';

const part = (start: number, end: number, ...messages: string[]) => ({
  start,
  end,
  tier: 2 as const,
  class: 'WRITE',
  reasons: messages.map((message) => ({ message })),
});
const line = (command: string, ...parts: ReturnType<typeof part>[]) =>
  partsInWords({ command, shell: 'bash', tier: 2, class: 'WRITE', parts });

describe('a command line in words', () => {
  it('says tier, class and shell', () => {
    expect(verdictInWords({ tier: 1, class: 'READ_ONLY' })).toBe('Tier 1, only reads');
    expect(verdictInWords({ tier: 2, class: 'LATER' })).toBe('Tier 2, LATER');
    expect([shellInWords('bash'), shellInWords('unknown')]).toEqual(['for bash', 'for any shell']);
  });

  it('has each part with its reasons, each once', () => {
    expect(line('ls > list', part(0, 2, 'It lists.'), part(3, 9, 'It writes.', 'It writes.', 'To list.'))).toEqual([
      { text: 'ls', tier: 2, verdict: 'Tier 2, writes', why: 'It lists.' },
      { text: '> list', tier: 2, verdict: 'Tier 2, writes', why: 'It writes. To list.' },
    ]);
  });

  it('leaves out the middle of a reason that names a long word, and never a half of a character', () => {
    const said = reasonsInWords({
      reasons: [{ message: `The line changes ${'😀'.repeat(2_000)}, which another program executes.` }],
    });
    expect(said.length).toBeLessThanOrEqual(241);
    expect(said).toMatch(/^The line changes 😀+…😀+, which another program executes\.$/u);
  });

  it('cuts a long part, and never within a character', () => {
    const long = `${'a'.repeat(78)}😀${'b'.repeat(20)}`;
    expect(line(long, part(0, long.length))[0]?.text).toBe(`${'a'.repeat(78)}…`);
    expect(line('a'.repeat(80), part(0, 80))[0]?.text).toBe('a'.repeat(80));
  });
});
