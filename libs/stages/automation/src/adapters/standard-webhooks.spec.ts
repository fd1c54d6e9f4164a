import { Webhook } from 'standardwebhooks';
import { isSigned } from './standard-webhooks.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = '{"service":"web"}';
const MINUTE_MS = 60_000;

const message = (at = new Date(), by = SECRET) => ({
  ...{ id: 'msg_1', timestamp: String(Math.floor(at.getTime() / 1_000)), body },
  signature: new Webhook(by).sign('msg_1', at, body),
});
const ago = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE_MS);

describe('T12: a message to an automation', () => {
  it('is signed by one of its secrets', () => {
    expect(isSigned([SECRET], message())).toBe(true);
    expect(isSigned([OTHER, SECRET], message())).toBe(true);
  });

  it.each([
    ['by another secret', message(new Date(), OTHER)],
    ['over another body', { ...message(), body: '{"service":"db"}' }],
    ['under another id', { ...message(), id: 'msg_2' }],
    ['at another time', { ...message(), timestamp: String(Math.floor(ago(1).getTime() / 1_000)) }],
    ['six minutes ago', message(ago(6))],
    ['in six minutes', message(ago(-6))],
    ['by no signature', { ...message(), signature: undefined }],
    ['without an id', { ...message(), id: undefined }],
    ['without a time', { ...message(), timestamp: undefined }],
    ['by a signature of another version', { ...message(), signature: message().signature.replace('v1', 'v2') }],
    ['by a version alone', { ...message(), signature: 'v1' }],
  ])('is refused if it was signed %s', (_how, wrong) => {
    expect(isSigned([SECRET], wrong)).toBe(false);
  });

  it('is refused if there is no secret, also by the one that stands in for it', () => {
    const zeros = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(isSigned([], message(new Date(), zeros))).toBe(false);
  });
});
