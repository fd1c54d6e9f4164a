import { digestOf, newId } from '#lib/kernel';
import { buttonValue, readButtonValue, type ButtonClaim } from './button-value.js';

const SECRET = '5'.repeat(32);
const claim: ButtonClaim = {
  tenantId: newId(),
  action: 'approve',
  requestId: newId(),
  subjectDigest: digestOf('plan', {}),
};
const value = buttonValue(SECRET, claim);
const { requestId, subjectDigest } = claim;
const [, , digest = '', tag = ''] = value.split('.');

describe('T13: the value of a button', () => {
  it('names its request and plan, for its tenant and action', () => {
    expect(readButtonValue(SECRET, claim, value)).toEqual({ requestId, subjectDigest });
    expect(value.length).toBeLessThan(2_000);
  });

  it.each<[string, Partial<ButtonClaim>]>([
    ['tenant', { tenantId: newId() }],
    ['action', { action: 'reject' }],
  ])('is nothing for another %s', (_what, change) => {
    expect(readButtonValue(SECRET, { ...claim, ...change }, value)).toBeNull();
  });

  it('is nothing under another secret', () => {
    expect(readButtonValue('6'.repeat(32), claim, value)).toBeNull();
  });

  /** The letter after this one: it often stands for the same bytes. */
  const next = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + 1);
  it.each([
    ['another request', value.replace(requestId, newId())],
    ['another plan', value.replace(digest, 'f'.repeat(64))],
    ['another tag', value.replace(tag, `${tag.startsWith('A') ? 'B' : 'A'}${tag.slice(1)}`)],
    ['a tag of the same bytes', `${value.slice(0, -1)}${next(value.slice(-1))}`],
    ['a shorter tag', value.slice(0, -1)],
    ['a longer tag', `${value}A`],
    ['no tag', value.slice(0, value.lastIndexOf('.'))],
    ['a request that is no id', value.replace(requestId, '-'.repeat(36))],
    ['another version', value.replace('v1', 'v2')],
    ['a word before it', `x${value}`],
    ['nothing', ''],
  ])('is nothing with %s', (_what, changed) => {
    expect(readButtonValue(SECRET, claim, changed)).toBeNull();
  });
});
