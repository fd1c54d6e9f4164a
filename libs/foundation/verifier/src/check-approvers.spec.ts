import type { Json, JsonObject } from '#lib/canonical';
import { approverKeyFingerprint, type ApproverKey } from './approver-keys.js';
import { digestOf, packOf, person, type FakeEvent } from './fake-pack.js';
import {
  REQUEST,
  DIGEST,
  otherPasskey,
  keyOf,
  KEY,
  type Story,
  told,
  answerOf,
  shown,
  refusalOf,
} from './fake-signed-act.js';
import type { Pack, PackDocument } from './pack-shape.js';

function packOfReview(forge: (story: Story) => unknown = () => undefined): Pack {
  const story = told();
  forge(story);
  const answer = {
    kind: 'passkey-assertion',
    id: 'answer-1',
    document: story.document(answerOf(story.operation, story)),
  };
  const review: FakeEvent = {
    action: 'review.submitted',
    actor: person('ada'),
    subject: REQUEST,
    fixes: [{ kind: 'review', id: 'review-1', document: story.review }, ...story.answers(answer)],
    ...(story.payload === null ? { erased: true } : { payload: story.payload }),
  };
  const enrolled: FakeEvent[] =
    story.enrolment === null
      ? []
      : [
          {
            action: 'factor.enrolled',
            actor: person('ada'),
            fixes: [{ kind: 'passkey', id: 'passkey-1', document: story.enrolment }],
            ...story.enrolled,
          },
        ];
  return packOf(story.late ? [review, ...enrolled] : [...enrolled, review]);
}

const unsigned = (change: (story: Story) => unknown = () => undefined): string =>
  shown(
    packOfReview((story) => {
      story.answers = () => [];
      change(story);
    }),
  )
    .map(({ line }) => line)
    .join();
/** Sets members of the answer's document. */
const answering =
  (members: JsonObject) =>
  (story: Story): void => {
    story.document = (document) => ({ ...document, ...members });
  };

describe('a signed review', () => {
  const fingerprint = approverKeyFingerprint(KEY);

  it('is shown with the key of the pack, or with the kept one', () => {
    const act = { entryId: 'entry-1', personId: 'ada', lets: true, fingerprint };
    const signed = 'Ada approved, signed with a passkey: ';
    expect(shown(packOfReview())).toEqual([
      { ...act, shownBy: 'pack_key', line: `${signed}signed, key from the pack (fingerprint ${fingerprint}).` },
    ]);
    expect(shown(packOfReview(), [keyOf(otherPasskey, 'bob'), KEY])).toEqual([
      {
        ...act,
        shownBy: 'kept_key',
        line: `${signed}checked against the key that you kept (fingerprint ${fingerprint}).`,
      },
    ]);
    expect(shown(packOfReview(), [keyOf(otherPasskey, 'bob')])).toEqual([
      {
        ...act,
        shownBy: 'pack_key',
        line: `${signed}signed, key from the pack; not checked against a kept key, since your file has none of this person (fingerprint ${fingerprint}).`,
      },
    ]);
  });

  it('is of an "always", too, which the passkey signed with it', () => {
    const always = packOfReview((story) => {
      for (const said of [story.review, story.payload, story.operation]) Object.assign(said ?? {}, { always: true });
    });
    expect(shown(always, [KEY])).toMatchObject([{ shownBy: 'kept_key' }]);
  });

  it('is of the word CONFIRM, too, which the passkey signed with it', () => {
    const [act] = shown(
      packOfReview((story) => {
        for (const said of [story.review, story.payload, story.operation])
          Object.assign(said ?? {}, { confirm_word: 'CONFIRM' });
      }),
      [KEY],
    );
    expect(act).toMatchObject({ shownBy: 'kept_key' });
    expect(act?.line).toMatch(/^Ada approved with the word CONFIRM, signed/);
  });

  it('says if the log does not tell when its key was enrolled', () => {
    const [act] = shown(packOfReview((story) => (story.enrolment = null)));
    expect(act?.line).toMatch(/; the log does not say when this key was enrolled\.$/);
  });

  it('stands on an enrolment, too, if its entry fixes something else', () => {
    const [act] = shown(
      packOfReview((story) => (story.enrolled = { names: [{ kind: 'tool', id: 'tool-1', digest: DIGEST }] })),
    );
    expect(act?.line).not.toContain('the log does not say');
  });

  it('stands without the payload of its entry', () => {
    expect(shown(packOfReview((story) => (story.payload = null)))).toHaveLength(1);
  });

  it.each([
    ['reject', 'rejected', false],
    ['request_changes', 'asked for changes', false],
    ['abstain', 'reviewed', true],
  ])('of the verdict %s is told, and says whether it lets anything happen', (verdict, done, lets) => {
    const pack = packOfReview((story) => {
      for (const part of [story.review, story.payload ?? {}, story.operation]) Object.assign(part, { verdict });
    });
    const [act] = shown(pack);
    expect(act).toMatchObject({ lets });
    expect(act?.line).toContain(`Ada ${done}, signed`);
  });

  it.each<[code: string, what: string, (story: Story) => unknown]>([
    [
      'approver.contradiction',
      'another person in its document',
      ({ review }) => Object.assign(review, { person_id: 'bob' }),
    ],
    [
      'approver.contradiction',
      'another request in its document',
      ({ review }) => Object.assign(review, { request_id: 'r' }),
    ],
    [
      'approver.contradiction',
      'another verdict in its payload',
      ({ payload }) => Object.assign(payload ?? {}, { verdict: 'reject' }),
    ],
    [
      'approver.contradiction',
      'another plan in its payload',
      ({ payload }) => Object.assign(payload ?? {}, { subject_digest: 'x' }),
    ],
    [
      'approver.contradiction',
      'another comment in its payload',
      ({ payload }) => Object.assign(payload ?? {}, { comment: 'x' }),
    ],
    [
      'approver.contradiction',
      'another binding in its payload',
      ({ payload }) => Object.assign(payload ?? {}, { binding_digest: 'x' }),
    ],
    [
      'approver.contradiction',
      'an "always" in its payload alone',
      ({ payload }) => Object.assign(payload ?? {}, { always: true }),
    ],
    [
      'approver.other_operation',
      'an "always" that was not signed',
      ({ review, payload }) => [review, payload].map((said) => Object.assign(said ?? {}, { always: true })),
    ],
    [
      'approver.contradiction',
      'the word CONFIRM in its payload alone',
      ({ payload }) => Object.assign(payload ?? {}, { confirm_word: 'CONFIRM' }),
    ],
    [
      'approver.other_operation',
      'the word CONFIRM that was not signed',
      ({ review, payload }) => [review, payload].map((said) => Object.assign(said ?? {}, { confirm_word: 'CONFIRM' })),
    ],
    [
      'approver.contradiction',
      'another second factor than the passkey',
      ({ review }) => Object.assign(review, { mfa: { method: 'totp' } }),
    ],
    ['approver.contradiction', 'no second factor', ({ review }) => Object.assign(review, { mfa: null })],
    [
      'approver.assertion_missing',
      'two answers',
      (story) => (story.answers = (answer) => [answer, { ...answer, id: 'answer-2' }]),
    ],
    ['approver.assertion_format', 'an answer that is no object', (story) => (story.document = () => 'answer')],
    ['approver.assertion_format', 'no answer at all', (story) => (story.document = () => null)],
    ['approver.assertion_format', 'a list for an answer', (story) => (story.document = (document) => [document])],
    ['approver.assertion_format', 'one member more', answering({ more: 1 })],
    [
      'approver.assertion_format',
      'one member less',
      (story) => (story.document = ({ signed_at: _, ...document }) => document),
    ],
    ['approver.assertion_format', 'a key that is none', answering({ public_key: 'EdDSA:AAAA' })],
    ['approver.assertion_format', 'a key that is no text', answering({ public_key: 1 })],
    ['approver.assertion_format', 'a short nonce', answering({ nonce: 'AAAA' })],
    ['approver.assertion_format', 'a nonce that is no base64url', answering({ nonce: '=' })],
    ['approver.other_person', 'an answer of somebody else', (story) => (story.key = { ...KEY, personId: 'bob' })],
    [
      'approver.other_operation',
      'a signature for something else',
      ({ operation }) => Object.assign(operation, { comment: 'x' }),
    ],
    ['approver.answer_format', 'an answer that cannot be read', answering({ authenticator_data: '=' })],
    ['approver.answer_format', 'an answer that is no text', answering({ signature: 1, authenticator_data: 1 })],
    ['approver.challenge', 'a challenge of another person', (story) => (story.signedBy = 'bob')],
    ['approver.origin', 'a page of another origin', (story) => (story.behaviour = { origin: 'https://evil.example' })],
    ['approver.relying_party', 'another relying party', (story) => (story.behaviour = { rpId: 'evil.example' })],
    ['approver.user_presence', 'nobody present', (story) => (story.behaviour = { userPresent: false })],
    ['approver.user_verification', 'nobody verified', (story) => (story.behaviour = { userVerified: false })],
    ['approver.signature', 'a signature of another key', (story) => (story.behaviour = { forged: true })],
    [
      'approver.enrolment',
      'a key enrolled for somebody else',
      ({ enrolment }) => Object.assign(enrolment ?? {}, { person_id: 'bob' }),
    ],
    [
      'approver.enrolment',
      'another key enrolled',
      ({ enrolment }) => Object.assign(enrolment ?? {}, { public_key: otherPasskey.publicKey }),
    ],
    [
      'approver.enrolment',
      'a key enrolled at another relying party',
      ({ enrolment }) => Object.assign(enrolment ?? {}, { relying_party_id: 'evil.example' }),
    ],
    ['approver.enrolment', 'a key enrolled afterwards', (story) => (story.late = true)],
    ['approver.enrolment', 'no entry of its enrolment', (story) => (story.enrolled = { action: 'factor.removed' })],
    [
      'approver.enrolment',
      'an entry that enrols another key',
      ({ enrolled, enrolment }) => {
        const other = { kind: 'passkey', id: 'passkey-1', document: { ...enrolment, label: 'x' } };
        Object.assign(enrolled, {
          action: 'factor.named',
          fixes: [{ kind: 'passkey', id: 'passkey-1', document: enrolment ?? null }],
        });
        Object.assign(enrolled, { names: [digestOf(other)] });
      },
    ],
  ])('is refused with %s for %s', (code, _what, forge) => {
    expect(refusalOf(packOfReview(forge))?.code).toBe(code);
  });

  it('is refused if the enrolment has the same digest under another id, or the same id with another digest', () => {
    const pack = packOfReview();
    const [enrolled, ...rest] = pack.entries;
    if (enrolled === undefined) throw new Error('there is no enrolment');
    const [evidence] = enrolled.header.evidence;
    if (evidence === undefined) throw new Error('the enrolment fixes nothing');
    for (const changed of [
      { ...evidence, id: 'passkey-2' },
      { ...evidence, digest: DIGEST },
    ]) {
      const header = { ...enrolled.header, evidence: [changed] };
      expect(refusalOf({ ...pack, entries: [{ ...enrolled, header }, ...rest] })?.code).toBe('approver.enrolment');
    }
  });

  it('finds the enrolment of its own credential among others', () => {
    const pack = packOfReview();
    const documents: PackDocument[] = [
      { kind: 'passkey', id: 'a', document: { credential_id: 'other' } },
      { kind: 'tool', id: 'a', document: { credential_id: KEY.credentialId } },
      ...pack.documents,
    ];
    expect(shown({ ...pack, documents })[0]?.line).not.toContain('the log does not say');
  });

  it('is refused without the document of its answer', () => {
    const pack = packOfReview();
    const documents = pack.documents.filter(({ kind }) => kind !== 'passkey-assertion');
    expect(refusalOf({ ...pack, documents })).toMatchObject({
      code: 'approver.assertion_missing',
      message: 'Ada approved, and the passkey’s answer is not in the pack.',
      pointer: '/entries/1',
    });
  });

  it('is refused without its own document, which gives the operation', () => {
    const pack = packOfReview();
    const documents = pack.documents.filter(({ kind }) => kind !== 'review');
    expect(refusalOf({ ...pack, documents })?.code).toBe('approver.contradiction');
    const erased = packOfReview((story) => (story.payload = null));
    expect(refusalOf({ ...erased, documents: erased.documents.filter(({ kind }) => kind !== 'review') })?.code).toBe(
      'approver.other_operation',
    );
  });

  it('points at the document of a malformed answer', () => {
    const pack = packOfReview(answering({ more: 1 }));
    const documents = [{ kind: 'passkey-assertion', id: 'answer-0', document: null }, ...pack.documents];
    expect(refusalOf({ ...pack, documents })).toMatchObject({
      code: 'approver.assertion_format',
      message: 'The passkey’s answer answer-1 has another shape.',
      pointer: '/documents/2',
    });
  });

  it('says why an answer of the passkey is refused, at the entry of the act', () => {
    expect(refusalOf(packOfReview((story) => (story.behaviour = { forged: true })))).toMatchObject({
      message: 'Ada approved, and the signature is not of the key that it names.',
      pointer: '/entries/1',
    });
  });

  it('is refused if its answer served before', () => {
    const pack = packOfReview();
    const [enrolled, review] = pack.entries;
    if (enrolled === undefined || review === undefined) throw new Error('the pack lacks an entry');
    expect(refusalOf({ ...pack, entries: [enrolled, review, review] })).toMatchObject({
      code: 'approver.used_twice',
      pointer: '/entries/2',
    });
  });

  it.each<[code: string, what: string, kept: readonly ApproverKey[]]>([
    ['approver.key_of_another', 'its credential is of somebody else', [{ ...KEY, personId: 'bob' }]],
    ['approver.key_of_another', 'its key has another credential', [{ ...KEY, credentialId: 'x', personId: 'bob' }]],
    ['approver.key_unknown', 'the person has only other keys', [keyOf(otherPasskey)]],
    [
      'approver.key_of_another',
      'its key has another credential, among other keys',
      [keyOf(otherPasskey, 'bob'), { ...KEY, credentialId: 'x', personId: 'bob' }],
    ],
    [
      'approver.key_unknown',
      'the person has only other keys, among those of others',
      [{ ...keyOf(otherPasskey, 'bob'), credentialId: 'x' }, keyOf(otherPasskey)],
    ],
    ['approver.key_differs', 'the credential has another key', [{ ...KEY, publicKey: otherPasskey.publicKey }]],
    ['approver.relying_party', 'the relying party is another', [{ ...KEY, relyingPartyId: 'example' }]],
    ['approver.origin', 'the origin is another', [{ ...KEY, origin: 'https://a.countersign.example' }]],
  ])('is refused with %s if in the kept file %s', (code, _what, kept) => {
    expect(refusalOf(packOfReview(), kept)).toMatchObject({ code, pointer: '/entries/1' });
  });
});

describe('an unsigned review', () => {
  it.each<[method: Json, words: string]>([
    [{ method: 'totp' }, 'with an authenticator code: not signed, only the server says that it was them.'],
    [{ method: 'recovery_code' }, 'with a recovery code: not signed, only the server says that it was them.'],
    [{ method: 'passkey' }, 'with a passkey whose signature was not kept: only the server says that it was them.'],
    [null, 'without a second factor: not signed, only the server says that it was them.'],
    [{ method: 'stars' }, 'by means that are not on record any more: only the server says that it was them.'],
  ])('by %j is the word of the server', (mfa, words) => {
    expect(unsigned(({ review }) => Object.assign(review, { mfa }))).toBe(`Ada approved ${words}`);
  });

  it('counts as shown by the server', () => {
    expect(shown(packOfReview((story) => (story.answers = () => [])))).toMatchObject([
      { entryId: 'entry-1', personId: 'ada', lets: true, shownBy: 'server', fingerprint: null },
    ]);
  });

  it('is told by its payload, if its document is not there', () => {
    const pack = packOfReview((story) => {
      story.answers = () => [];
      Object.assign(story.payload ?? {}, { verdict: 'reject', mfa: { method: 'totp' } });
      Object.assign(story.review, { verdict: 'reject' });
    });
    const documents = pack.documents.filter(({ kind }) => kind !== 'review');
    expect(shown({ ...pack, documents })[0]?.line).toMatch(/^Ada rejected with an authenticator code/);
    const erased = { ...pack, entries: pack.entries.map((entry) => ({ ...entry, facts: null })), documents };
    expect(shown(erased)[0]?.line).toMatch(/^Ada reviewed by means that are not on record/);
  });
});
