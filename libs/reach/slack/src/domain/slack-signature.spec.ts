import { createHmac } from 'node:crypto';
import { isFromSlack, type SlackHeaders } from './slack-signature.js';

const SECRET = '5'.repeat(32);
const BODY = 'payload=%7B%7D';
const SECONDS = 1_767_603_600;

const sign = (timestamp: string, body = BODY, secret = SECRET): SlackHeaders => ({
  timestamp,
  signature: `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
});
const good = sign(String(SECONDS));
const check = (headers: SlackHeaders, body = BODY, nowSeconds = SECONDS): boolean =>
  isFromSlack(SECRET, body, headers, nowSeconds * 1_000);

describe('T12: a signature of Slack', () => {
  it('holds for five minutes in both directions', () => {
    for (const [difference, holds] of [
      [0, true],
      [300, true],
      [301, false],
      [-300, true],
      [-301, false],
    ] as const)
      expect([difference, check(good, BODY, SECONDS + difference)]).toEqual([difference, holds]);
  });

  it.each<[string, SlackHeaders]>([
    ['no signature', { ...good, signature: undefined }],
    ['no timestamp', { ...good, timestamp: undefined }],
    ['a wrong signature', { ...good, signature: `v0=${'0'.repeat(64)}` }],
    ['another version', { ...good, signature: good.signature?.replace('v0', 'v1') }],
    ['a shorter signature', { ...good, signature: good.signature?.slice(0, -2) }],
    ['another timestamp than the signed one', { ...good, timestamp: String(SECONDS - 1) }],
    ['the secret of another app', sign(String(SECONDS), BODY, '6'.repeat(32))],
    ['a timestamp that is no number', sign('1e9')],
    ['an empty timestamp', sign('')],
  ])('does not hold with %s', (_what, headers) => {
    expect(check(headers)).toBe(false);
  });

  it.each(['payload=%7B%7D&', 'payload=%7B %7D', 'PAYLOAD=%7B%7D', ''])(
    'does not hold for another body: %s',
    (body) => {
      expect(check(good, body)).toBe(false);
    },
  );
});
