import { nodeRandomBytes } from '#lib/identity';
import { createKeys } from '#lib/tenancy';
import { FakeKeyring } from '../../../../registry/tenancy/src/application/fake-keyring.js';
import { challengeOfAnswer, personOfAnswer } from './passkey-answer.js';
import { CHALLENGE_LIFETIME_MS, PasskeyChallenges } from './passkey-challenges.js';

const NOW = Date.UTC(2026, 0, 5, 9);

async function given() {
  const keyring = new FakeKeyring();
  const challenges = new PasskeyChallenges(createKeys(keyring).wrapping, nodeRandomBytes);
  return { keyring, challenges, challenge: await challenges.next(NOW) };
}

describe('a challenge for a person who is not signed in', () => {
  it('carries its expiry, and is another each time', async () => {
    const { challenges, challenge } = await given();
    expect(challenge).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(await challenges.expiryOf(challenge)).toBe(NOW + CHALLENGE_LIFETIME_MS);
    expect(await challenges.next(NOW)).not.toBe(challenge);
  });

  it('is good under its own key after a new one came, and no longer once that key is gone', async () => {
    const { keyring, challenges, challenge } = await given();
    const { id } = await keyring.current();
    keyring.addKey();
    expect(await challenges.expiryOf(challenge)).toBe(NOW + CHALLENGE_LIFETIME_MS);
    keyring.removeKey(id);
    expect(await challenges.expiryOf(challenge)).toBeNull();
  });

  it.each<[string, (challenge: string) => string]>([
    ['an empty text', () => ''],
    ['a text that was never given out', () => Buffer.alloc(80, 1).toString('base64url')],
    ['a part of it', (challenge) => challenge.slice(0, -8)],
    [
      'a changed one',
      (challenge) => `${challenge.slice(0, 30)}${challenge[30] === 'A' ? 'B' : 'A'}${challenge.slice(31)}`,
    ],
    ['a longer one', (challenge) => `${challenge}${'A'.repeat(400)}`],
    ['its nonce and a part of a tag', (challenge) => challenge.slice(0, 26)],
  ])('is not %s', async (_what, text) => {
    const { challenges, challenge } = await given();
    expect(await challenges.expiryOf(text(challenge))).toBeNull();
  });

  it('is refused if it comes from another installation', async () => {
    const [{ challenge }, { challenges }] = [await given(), await given()];
    expect(await challenges.expiryOf(challenge)).toBeNull();
  });
});

describe('the answer of a browser', () => {
  const answer = (clientData: unknown, userHandle?: string) => ({
    id: 'passkey',
    response: { clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString('base64url'), userHandle },
  });

  it('names the person of the passkey, and the challenge that was signed', () => {
    const id = '01997d7e-0000-7000-8000-00000000abcd';
    const handle = Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
    expect(personOfAnswer(answer({}, handle))).toBe(id);
    expect(challengeOfAnswer(answer({ challenge: 'a challenge' }))).toBe('a challenge');
  });

  it('names no person by the handle of another site', () => {
    expect(personOfAnswer(answer({}))).toBeNull();
    expect(personOfAnswer(answer({}, Buffer.alloc(15).toString('base64url')))).toBeNull();
    expect(personOfAnswer(answer({}, Buffer.alloc(64).toString('base64url')))).toBeNull();
  });

  it.each([[{}], [null], ['a text'], [{ challenge: 7 }]])('holds no challenge in %j', (clientData) => {
    expect(challengeOfAnswer(answer(clientData))).toBeNull();
  });

  it('holds no challenge in a text that is no JSON', () => {
    expect(challengeOfAnswer({ id: 'passkey', response: { clientDataJSON: 'no JSON' } })).toBeNull();
  });
});
