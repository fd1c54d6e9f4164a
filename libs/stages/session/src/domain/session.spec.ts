import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { endedSession, sampleSession } from '../application/fake-session.js';
import { DEFAULT_AUTONOMY, isLive, sameAutonomy } from './session.js';
import type { CredentialId } from '#lib/kernel';
import { fits, isSameAnswer, MAX_SHAPE_BYTES } from './session-trust.js';

const session = sampleSession(sampleTenant(), { idleSeconds: 60, lastUsedAt: 1_000_000 });

it('a session is live until it has rested for its idle time', () => {
  expect([isLive(session, 1_059_999), isLive(session, 1_060_000)]).toEqual([true, false]);
});

it('an ended session is not live', () => {
  expect(isLive(endedSession(session), 1_000_000)).toBe(false);
});

it.each([{ preset: 'tiers' }, { level: 'MANUAL' }, { mode: 'always-ask' }] as const)(
  'settings differ by any member: %j',
  (change) => {
    expect(sameAutonomy(DEFAULT_AUTONOMY, { ...DEFAULT_AUTONOMY })).toBe(true);
    expect(sameAutonomy(DEFAULT_AUTONOMY, { ...DEFAULT_AUTONOMY, ...change })).toBe(false);
  },
);

it('an "always" is another one with another credential or factor', () => {
  // Ids are compared alone, and words are easier to tell apart.
  const [one, other] = ['one', 'other'] as unknown as readonly [CredentialId, CredentialId];
  const answer = { credentialId: one, factorProved: true };
  expect(isSameAnswer(answer, { ...answer })).toBe(true);
  expect(isSameAnswer(answer, { ...answer, credentialId: other })).toBe(false);
  expect(isSameAnswer(answer, { ...answer, factorProved: false })).toBe(false);
});

it('a shape fits by its bytes, not its characters', () => {
  const shapeOf = (character: string, count: number) => ({ tool: 'shell', shape: character.repeat(count) });
  expect([fits(shapeOf('a', MAX_SHAPE_BYTES)), fits(shapeOf('a', MAX_SHAPE_BYTES + 1))]).toEqual([true, false]);
  expect([fits(shapeOf('ä', MAX_SHAPE_BYTES / 2)), fits(shapeOf('ä', MAX_SHAPE_BYTES / 2 + 1))]).toEqual([true, false]);
});
