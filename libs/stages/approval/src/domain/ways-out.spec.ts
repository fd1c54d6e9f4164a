import { sharesVote, wayOut, wayToStart } from './ways-out.js';

const reasons = (...codes: string[]) => ({
  reasons: codes.map((code) => ({ code, message: code, rule: 'countersign.test' })),
});

describe('the next step of a person', () => {
  it.each<[start: string, codes: string[], open: string | null]>([
    ['Read the reasons', ['halt.active'], null],
    ['Read the reasons', [], 'request-1'],
    ['Ask for the approval', ['approval.required'], null],
    ['the request request-1 is still open', ['approval.required'], 'request-1'],
    ['the request request-1 is still open', ['halt.active', 'approval.required'], 'request-1'],
  ])('who may not start is: %s', (step, codes, open) => {
    expect(wayToStart(reasons(...codes), open)).toContain(step);
  });

  it.each<[step: string, codes: string[]]>([
    ['Only a role that you held before the request opened counts', ['review.role']],
    ['Only a role that you held before the request opened counts', ['review.closed', 'review.role']],
    ['the request says whose approval it waits for', ['review.closed']],
    ['Sign in with a browser', ['review.browser_only']],
    ['Leave it to somebody', ['review.browser_only', 'review.closed']],
  ])('who may not review is: %s', (step, codes) => {
    expect(wayOut(reasons(...codes))).toContain(step);
  });

  it('is another vote for a person who shares one', () => {
    expect(sharesVote(reasons('review.role', 'review.same_hand'))).toBe(true);
    expect(sharesVote(reasons('review.role'))).toBe(false);
    expect(wayOut(reasons('review.role', 'review.same_hand'))).not.toContain('Leave it to somebody');
  });
});
