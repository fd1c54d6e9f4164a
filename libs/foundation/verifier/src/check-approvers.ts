import { canonicalJson, isJsonObject, type Json } from '#lib/canonical';
import { actsOfPeople, fixedDocument, type Act } from './acts-of-people.js';
import { approverKeyFingerprint, type ApproverKey } from './approver-keys.js';
import { documentDigest } from './audit-entry.js';
import { decodeBase64Url } from './base64.js';
import { member } from './json-member.js';
import type { Pack } from './pack-shape.js';
import { faultOfAnswer, type AnswerMistake } from './passkey-assertion.js';
import { CHALLENGE_NONCE_BYTES, passkeyChallenge } from './passkey-challenge.js';
import { parsePasskeyPublicKey, type PasskeyPublicKey } from './passkey-public-key.js';
import type { Refuse, VerificationCode } from './verification-failure.js';

/** The proof that it was this person. */
export type ShownBy =
  /** Their signature, by a key that the checker kept. */
  | 'kept_key'
  /** A signature by a key that only the pack names. */
  | 'pack_key'
  /** Nothing but the server's word. */
  | 'server';

/** A person's act, and the proof that it was theirs. */
export interface ShownAct {
  readonly entryId: string;
  readonly personId: string;
  /** Whether something was executed or loosened on it. */
  readonly lets: boolean;
  readonly shownBy: ShownBy;
  /** Of the key that signed. */
  readonly fingerprint: string | null;
  readonly line: string;
}

/** The parts of the passkey's answer that a review, a break-glass or a confirmation fixed. */
interface Assertion {
  readonly key: ApproverKey;
  readonly publicKey: PasskeyPublicKey;
  readonly operation: Json;
  readonly nonce: Uint8Array;
  readonly answer: {
    readonly authenticatorData: string;
    readonly clientDataJson: string;
    readonly signature: string;
  };
}

/**
 * The acts of people with their proofs. Each passkey signature is checked. The pack's own documents give the signed
 * operation, so a signature counts for this act of this person alone.
 *
 * @param kept keys that the checker had apart from the pack; null if none were given.
 */
export function checkApprovers(pack: Pack, kept: readonly ApproverKey[] | null, refuse: Refuse): ShownAct[] {
  const used = new Set<string>();
  return actsOfPeople(pack).map((act) => {
    const { header } = act.entry;
    const { actor } = header;
    if (act.contradiction !== null)
      refuse('approver.contradiction', `${said(act)}: ${act.contradiction}.`, act.pointer);
    const refs = header.evidence.filter(({ kind }) => kind === ASSERTION_KIND);
    const shown = { entryId: header.id, personId: actor.id, lets: act.lets };
    if (refs.length === 0) {
      return { ...shown, shownBy: 'server', fingerprint: null, line: `${said(act)} ${unsigned(act.method)}` };
    }
    const assertion = assertionOf(pack, act, refuse);
    checkAnswer(act, assertion, refuse);
    if (used.has(assertion.answer.clientDataJson))
      refuse('approver.used_twice', `${said(act)} by an answer of the passkey that served before.`, act.pointer);
    used.add(assertion.answer.clientDataJson);
    const enrolled = checkEnrolment(pack, act, assertion.key, refuse);
    const isKept = kept !== null && checkKept(act, assertion.key, kept, refuse);
    const fingerprint = approverKeyFingerprint(assertion.key);
    const how = isKept ? KEPT : kept === null ? FROM_PACK : NONE_KEPT;
    const line = `${said(act)}, signed with a passkey: ${how} (fingerprint ${fingerprint})${enrolled ? '' : UNLOGGED}.`;
    return { ...shown, shownBy: isKept ? 'kept_key' : 'pack_key', fingerprint, line };
  });
}

const ASSERTION_KIND = 'passkey-assertion';
const KEPT = 'checked against the key that you kept';
const FROM_PACK = 'signed, key from the pack';
const NONE_KEPT = 'signed, key from the pack; not checked against a kept key, since your file has none of this person';
const UNLOGGED = '; the log does not say when this key was enrolled';

const said = ({ entry, done }: Act): string => `${entry.header.actor.display_name} ${done}`;

function unsigned(method: Act['method']): string {
  switch (method) {
    case null:
      return 'without a second factor: not signed, only the server says that it was them.';
    case 'totp':
      return 'with an authenticator code: not signed, only the server says that it was them.';
    case 'recovery_code':
      return 'with a recovery code: not signed, only the server says that it was them.';
    case 'passkey':
      return 'with a passkey whose signature was not kept: only the server says that it was them.';
    default:
      return 'by means that are not on record any more: only the server says that it was them.';
  }
}

/** The one document of the answer, whole and of the known shape, of this person and this act. */
function assertionOf(pack: Pack, act: Act, refuse: Refuse): Assertion {
  const found = fixedDocument(pack, act.entry, ASSERTION_KIND);
  const several = act.entry.header.evidence.filter(({ kind }) => kind === ASSERTION_KIND).length > 1;
  if (found === null || several)
    return refuse(
      'approver.assertion_missing',
      `${said(act)}, and the passkey’s answer is not in the pack.`,
      act.pointer,
    );
  const index = pack.documents.findIndex(({ kind, id }) => kind === ASSERTION_KIND && id === found.id);
  const pointer = `/documents/${String(index)}`;
  const assertion = readAssertion(found.document);
  if (assertion === null)
    return refuse('approver.assertion_format', `The passkey’s answer ${found.id} has another shape.`, pointer);
  if (act.method !== 'passkey' && act.method !== undefined)
    refuse('approver.contradiction', `${said(act)} by other means than the passkey whose answer is there.`, pointer);
  if (assertion.key.personId !== act.entry.header.actor.id)
    refuse('approver.other_person', `${said(act)}, and the passkey’s answer is of somebody else.`, pointer);
  if (act.operation === null || canonicalJson(assertion.operation) !== canonicalJson(act.operation))
    refuse('approver.other_operation', `${said(act)}, and the passkey signed something else.`, pointer);
  return assertion;
}

const MEMBERS = [
  'authenticator_data',
  'client_data_json',
  'credential_id',
  'id',
  'nonce',
  'operation',
  'origin',
  'person_id',
  'public_key',
  'relying_party_id',
  'signature',
  'signed_at',
];

function readAssertion(document: Json): Assertion | null {
  if (!isJsonObject(document)) return null;
  if (Object.keys(document).sort().join() !== MEMBERS.join()) return null;
  const text = (name: string): string => {
    const value = document[name];
    return typeof value === 'string' ? value : '';
  };
  const publicKey = parsePasskeyPublicKey(text('public_key'));
  const nonce = decodeBase64Url(text('nonce'));
  if (publicKey === null || nonce?.length !== CHALLENGE_NONCE_BYTES) return null;
  return {
    key: {
      personId: text('person_id'),
      credentialId: text('credential_id'),
      publicKey: text('public_key'),
      relyingPartyId: text('relying_party_id'),
      origin: text('origin'),
    },
    publicKey,
    operation: document.operation ?? null,
    nonce,
    answer: {
      authenticatorData: text('authenticator_data'),
      clientDataJson: text('client_data_json'),
      signature: text('signature'),
    },
  };
}

const FAULTS: Readonly<Record<AnswerMistake, readonly [VerificationCode, string]>> = {
  format: ['approver.answer_format', 'the passkey’s answer cannot be read'],
  challenge: ['approver.challenge', 'the passkey signed another challenge than that of this act'],
  origin: ['approver.origin', 'the passkey was asked by a page of another origin'],
  relying_party: ['approver.relying_party', 'the passkey answered another relying party'],
  user_presence: ['approver.user_presence', 'nobody was present as the passkey signed'],
  user_verification: ['approver.user_verification', 'the passkey did not verify who was there'],
  signature: ['approver.signature', 'the signature is not of the key that it names'],
};

/** The signature is the key's, over this act of this person. */
function checkAnswer(act: Act, { key, publicKey, operation, nonce, answer }: Assertion, refuse: Refuse): void {
  const digest = documentDigest('stepped-up-operation', { person_id: act.entry.header.actor.id, operation });
  const fault = faultOfAnswer(answer, {
    challenge: passkeyChallenge(digest, nonce),
    origin: key.origin,
    relyingPartyId: key.relyingPartyId,
    publicKey,
  });
  if (fault === null) return;
  const [code, message] = FAULTS[fault];
  refuse(code, `${said(act)}, and ${message}.`, act.pointer);
}

/** Whether the log says that this key was enrolled, before; another key under the same credential is refused. */
function checkEnrolment(pack: Pack, act: Act, key: ApproverKey, refuse: Refuse): boolean {
  const enrolment = pack.documents.find(
    ({ kind, document }) => kind === 'passkey' && member(document, 'credential_id') === key.credentialId,
  );
  if (enrolment === undefined) return false;
  const { document } = enrolment;
  const digest = documentDigest('passkey', document);
  const entry = pack.entries.findIndex(
    ({ header }) =>
      header.action === 'factor.enrolled' &&
      header.evidence.some((one) => one.id === enrolment.id && one.digest === digest),
  );
  const same =
    member(document, 'person_id') === key.personId &&
    member(document, 'public_key') === key.publicKey &&
    member(document, 'relying_party_id') === key.relyingPartyId;
  if (!same || entry < 0 || entry > pack.entries.indexOf(act.entry))
    refuse('approver.enrolment', `${said(act)} with another passkey than the one that was enrolled.`, act.pointer);
  return true;
}

/** Whether the checker kept this key; another key than the kept one is refused. */
function checkKept(act: Act, key: ApproverKey, kept: readonly ApproverKey[], refuse: Refuse): boolean {
  const own = kept.find(({ credentialId }) => credentialId === key.credentialId);
  if (own !== undefined && own.personId !== key.personId)
    refuse('approver.key_of_another', `${said(act)} with a passkey that is somebody else’s by your file.`, act.pointer);
  if (own === undefined) {
    if (kept.some(({ publicKey }) => publicKey === key.publicKey))
      refuse(
        'approver.key_of_another',
        `${said(act)} with a key that your file has under another credential.`,
        act.pointer,
      );
    if (kept.some(({ personId }) => personId === key.personId))
      refuse('approver.key_unknown', `${said(act)} with a passkey that is none of theirs by your file.`, act.pointer);
    return false;
  }
  if (own.publicKey !== key.publicKey)
    refuse('approver.key_differs', `${said(act)} with another public key than the one that you kept.`, act.pointer);
  if (own.relyingPartyId !== key.relyingPartyId)
    refuse('approver.relying_party', `${said(act)} for another relying party than the one that you kept.`, act.pointer);
  if (own.origin !== key.origin)
    refuse('approver.origin', `${said(act)} on another origin than the one that you kept.`, act.pointer);
  return true;
}
