import { callMessage } from './fake-request-message.js';
import { requestSections } from './request-content.js';
import type { CallMessage } from './request-message.js';
import { spanText } from './rich-text.js';

const linesOf = (overrides: Partial<CallMessage> = {}): string[] =>
  requestSections(callMessage(overrides))
    .flat()
    .map(({ spans }) => spans.map(spanText).join(''));

const ALWAYS = 'Always approves it, and later calls of this tool in this session with the same values here:';
const CONFIRM = 'This call destroys something: to approve it, you type CONFIRM.';

describe('a request about a call in lines', () => {
  it('shows the later calls that an "always" would cover', () => {
    const lines = linesOf();
    const at = lines.indexOf(ALWAYS);
    expect(lines.slice(at + 1, at + 4)).toEqual(['program: "git"', 'subcommand: "fetch origin"', 'flags: []']);
    expect(lines).not.toContain(CONFIRM);
  });

  it('shows hidden characters of that shape', () => {
    expect(linesOf({ always: { '/path': 'a\u202eb' } }).join('\n')).toContain('/path: "a⟦U+202E⟧b"');
  });

  it('shows neither for a call that holds for itself alone, and the word that it takes', () => {
    const lines = linesOf({ always: null, confirmWord: 'CONFIRM' });
    expect(lines).toContain(CONFIRM);
    expect(lines).not.toContain(ALWAYS);
  });

  it('says neither of a request that is decided', () => {
    const lines = linesOf({ state: 'consumed', confirmWord: 'CONFIRM' });
    expect(lines).not.toContain(ALWAYS);
    expect(lines).not.toContain(CONFIRM);
  });
});
