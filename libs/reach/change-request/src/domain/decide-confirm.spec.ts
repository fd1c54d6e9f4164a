import {
  newId,
  type ChangeRequestId,
  type CredentialId,
  type Digest,
  type PersonId,
  type ProposedChange,
} from '#lib/kernel';
import { baseDigest, CHANGE_OPEN_MS, openChange, type ChangeRequest, type OpenChange } from './change-request.js';
import { demandOf, DEPARTED_ADMIN_GRACE_MS } from './count-confirmers.js';
import { decideConfirm } from './decide-confirm.js';

const [author, beneficiary, second] = [newId<PersonId>(), newId<PersonId>(), newId<PersonId>()];
const now = 1_800_000_000_000;

const proposed: ProposedChange = {
  kind: 'role_assignment',
  subject: { type: 'person', id: beneficiary },
  what: 'The role SRELead for Ben',
  payload: { person_id: beneficiary, role: 'SRELead' },
  base: { person_id: beneficiary },
  loosens: ['Ben may approve'],
  detail: {},
  beneficiary,
};

const open: OpenChange = openChange(
  proposed,
  { id: newId<ChangeRequestId>(), requestedBy: author, credentialId: newId<CredentialId>(), why: 'On call.' },
  beneficiary,
  now,
);

const admin = (personId: PersonId, assignedAt = now - 1) => ({
  personId,
  roles: [{ role: 'PlatformAdmin', assignedAt }],
  reenrolled: null,
});

const again = (by: PersonId | null, at: number) => ({ ...admin(second, 0), reenrolled: { by, at } });

const code = (
  change: ChangeRequest,
  confirmer: Parameters<typeof decideConfirm>[1],
  seen: Digest = change.changeDigest,
  at = now + 1,
  votes: Parameters<typeof decideConfirm>[4] = new Map(),
): string => {
  const decided = decideConfirm(change, confirmer, seen, at, votes);
  return decided.ok ? 'confirmed' : decided.error.code;
};

/** One of them came in by the other's hand. */
const ofHand = (person: PersonId, hand: PersonId): string =>
  code(open, admin(second), open.changeDigest, now + 1, new Map([[person, { sharedWith: [hand] }]]));

describe('a person who wants to confirm a change', () => {
  it.each<[string, string, string]>([
    ['a second person', 'confirmed', code(open, admin(second))],
    ['a person who got the role as it was opened', 'confirmed', code(open, admin(second, now))],
    ['a person who got the role afterwards', 'change.role_too_new', code(open, admin(second, now + 1))],
    ['without the role', 'change.role_required', code(open, { personId: second, roles: [], reenrolled: null })],
    [
      'with another role',
      'change.role_required',
      code(open, { ...admin(second), roles: [{ role: 'SRELead', assignedAt: 0 }] }),
    ],
    ['the author', 'change.own', code(open, admin(author))],
    ['the beneficiary', 'change.beneficiary', code(open, admin(beneficiary))],
    [
      'the beneficiary, if no other person can',
      'confirmed',
      code({ ...open, beneficiaryId: null }, admin(beneficiary)),
    ],
    ['a person whom the author had enrolled again', 'change.reenrolled', code(open, again(author, now - 1))],
    [
      'a person whom the author had enrolled again long ago',
      'confirmed',
      code(open, again(author, now - 72 * 3_600_000)),
    ],
    ['a person whom another admin had enrolled again', 'confirmed', code(open, again(beneficiary, now - 1))],
    ['a person of the author’s hand', 'change.same_hand', ofHand(second, author)],
    ['the hand that the author came in by', 'change.same_hand', ofHand(author, second)],
    ['a person of one hand with the beneficiary', 'change.same_hand', ofHand(second, beneficiary)],
    ['a person who saw another change', 'change.other_digest', code(open, admin(second), open.baseDigest)],
    ['in the last millisecond', 'confirmed', code(open, admin(second), open.changeDigest, now + CHANGE_OPEN_MS - 1)],
    ['after it expired', 'change.expired', code(open, admin(second), open.changeDigest, now + CHANGE_OPEN_MS)],
  ])('%s: %s', (_who, expected, decided) => {
    expect(decided).toBe(expected);
  });

  it.each<ChangeRequest>([
    { ...open, state: 'applied', closedAt: now, closedBy: second, mfa: { method: 'totp', provedAt: now } },
    { ...open, state: 'rejected', closedAt: now, closedBy: second, reason: 'no' },
    { ...open, state: 'withdrawn', closedAt: now, closedBy: author },
    { ...open, state: 'expired', closedAt: now },
    { ...open, state: 'voided', closedAt: now, reason: 'changed' },
  ])('no person does once it is $state', (change) => {
    expect(code(change, admin(second))).toBe('change.closed');
  });
});

describe('the digest of a change', () => {
  it('differs by the base, and by the settings that loosen', () => {
    const bases = [proposed, { ...proposed, base: null }, { ...proposed, loosens: ['Ben may do more'] }].map(
      baseDigest,
    );
    expect(new Set(bases).size).toBe(3);
  });

  it('differs by each member that a person looks at', () => {
    const by = { id: open.id, requestedBy: author, credentialId: open.credentialId, why: 'On call.' };
    const others: ProposedChange[] = [
      proposed,
      { ...proposed, payload: { person_id: beneficiary, role: 'PlatformAdmin' } },
      { ...proposed, what: 'Another line' },
      { ...proposed, loosens: ['Something else'] },
      { ...proposed, base: 1 },
    ];
    const digests = others.map((change) => openChange(change, by, null, now).changeDigest);
    expect(new Set(digests).size).toBe(others.length);
  });
});

describe('a change', () => {
  const there = (personId: PersonId) => ({ personId, sharedWith: [], leftAt: null });
  const left = (ago: number) => ({ personId: second, sharedWith: [], leftAt: now - ago });
  const seat = (personId: PersonId) => ({ personId, sharedWith: [] });
  it.each([
    ['the author is the only admin', [there(author)], 'alone'],
    ['the tenant has no admin', [], 'alone'],
    ['another is there', [there(author), there(second)], 'second_person'],
    ['another was there a moment ago', [there(author), left(1)], 'second_person'],
    ['another was there until just within the time', [left(DEPARTED_ADMIN_GRACE_MS - 1)], 'second_person'],
    ['another was there long ago', [there(author), left(DEPARTED_ADMIN_GRACE_MS)], 'alone'],
    ['another came in by the author’s hand', [there(author), { ...there(second), sharedWith: [author] }], 'alone'],
  ])('if %s: %s', (_who, possible, outcome) => {
    expect(demandOf(possible, seat(author), null, now).outcome).toBe(outcome);
  });

  it('waits for other people than its beneficiary, if there are any', () => {
    const demand = (...possible: PersonId[]) => demandOf(possible.map(there), seat(author), seat(beneficiary), now);
    expect(demand(author, beneficiary, second)).toEqual({ outcome: 'second_person', beneficiaryId: beneficiary });
    expect(demand(author, beneficiary)).toEqual({ outcome: 'second_person', beneficiaryId: null });
  });
});
