import fc from 'fast-check';
import type { SteppedUpOperation, StepUpId } from '#lib/identity';
import { newId, type CredentialId, type FactorId, type PersonId } from '#lib/kernel';
import { afterWrongCode, NO_FAILURES, secondsLocked } from './lockout.js';
import { codeWrong } from './refusals.js';
import { matchRecoveryCode, RECOVERY_CODE_CHARACTERS, recoveryCodeOf, recoveryCodeSecret } from './recovery-codes.js';
import { relyingPartyOf } from './relying-party.js';
import {
  assertionDocument,
  decideOpen,
  decideTake,
  operationDigest,
  proved,
  STEP_UP_MS,
  type OpenStepUp,
  type StepUp,
} from './step-up.js';

const NOW = 1_790_000_000_000;
const personId = newId<PersonId>();
const operation = {
  kind: 'review',
  request_id: '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a',
  verdict: 'approve',
  subject_digest: `sha256:${'a'.repeat(64)}`,
  comment: 'Go.',
} as const satisfies SteppedUpOperation;

describe('wrong codes', () => {
  it('lock from the fifth on, for 30 seconds, then twice as long each time, an hour at most', () => {
    let lockout = NO_FAILURES;
    const waits: (number | null)[] = [];
    for (let guess = 1; guess <= 14; guess += 1) {
      lockout = afterWrongCode(lockout, NOW);
      waits.push(secondsLocked(lockout, NOW));
    }
    expect(waits).toEqual([null, null, null, null, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600]);
  });

  it('are told with the remedy of their method', () => {
    expect(codeWrong('totp').action).toMatch(/^Wait for the next code/);
    expect(codeWrong('recovery_code').action).toMatch(/another recovery code\.$/);
  });

  it('lock until the very end', () => {
    const lockout = { failures: 5, lockedUntil: NOW + 30_000 };
    expect([0, 29_999, 30_000].map((later) => secondsLocked(lockout, NOW + later))).toEqual([30, 1, null]);
  });
});

describe('a recovery code', () => {
  const code = recoveryCodeOf(Uint8Array.from({ length: 20 }, (_, index) => index * 11));

  it('is read as it is meant', () => {
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    const meant = recoveryCodeSecret(personId, code);
    for (const typed of [code.toLowerCase(), code.replaceAll('-', ''), ` ${code} `, code.replaceAll('0', 'o')]) {
      expect(recoveryCodeSecret(personId, typed)).toEqual(meant);
    }
  });

  it('is refused from too few random bytes', () => {
    expect(() => recoveryCodeOf(new Uint8Array(RECOVERY_CODE_CHARACTERS - 1))).toThrow('too few random bytes');
    expect(recoveryCodeOf(new Uint8Array(RECOVERY_CODE_CHARACTERS))).toBe('00000-00000-00000-00000');
  });

  it('belongs to its own person alone, and is no other code', () => {
    expect(recoveryCodeSecret(newId<PersonId>(), code)).not.toEqual(recoveryCodeSecret(personId, code));
    const codes = [{ digest: Buffer.alloc(32, 1) }, { digest: Buffer.alloc(32, 2) }];
    expect(matchRecoveryCode(codes, [Buffer.alloc(32, 9), Buffer.alloc(32, 2)])).toBe(codes[1]);
    expect(matchRecoveryCode(codes, [Buffer.alloc(32, 9)])).toBeNull();
  });
});

describe('the relying party', () => {
  it.each([
    ['https://countersign.example.com', { id: 'countersign.example.com', origin: 'https://countersign.example.com' }],
    ['https://example.com:8443/path', { id: 'example.com', origin: 'https://example.com:8443' }],
    ['http://127.0.0.1:8420', { id: 'localhost', origin: 'http://localhost:8420' }],
    ['http://[::1]:8420', { id: 'localhost', origin: 'http://localhost:8420' }],
    ['https://localhost', { id: 'localhost', origin: 'https://localhost' }],
    ['http://countersign.example.com', null],
    ['https://10.0.0.7', null],
    ['https://[2001:db8::1]', null],
  ])('of %s is %j', (publicUrl, party) => {
    expect(relyingPartyOf(publicUrl)).toEqual(party);
  });
});

describe('a step-up', () => {
  const open: OpenStepUp = {
    id: newId<StepUpId>(),
    state: 'open',
    personId,
    credentialId: newId<CredentialId>(),
    operation,
    operationDigest: operationDigest(personId, operation),
    challenge: null,
    nonce: new Uint8Array(32),
    createdAt: NOW,
    expiresAt: NOW + STEP_UP_MS,
  };
  const done = proved(open, { method: 'totp', factorId: newId<FactorId>(), assertion: null }, NOW);
  const used: StepUp = { ...done, state: 'used', usedAt: NOW };
  const last = NOW + STEP_UP_MS - 1;

  const outcome = (result: { ok: true; value: { state: string } } | { ok: false; error: { code: string } }): string =>
    result.ok ? result.value.state : result.error.code;

  it.each([
    ['open', open, last, 'open', 'mfa.required'],
    ['open too long', open, last + 1, 'mfa.step_up_expired', 'mfa.required'],
    ['proved', done, last, 'mfa.already_proved', 'used'],
    ['proved too long ago', done, last + 1, 'mfa.already_proved', 'mfa.proof_expired'],
    ['used', used, last, 'mfa.already_proved', 'mfa.proof_used'],
  ] as const)('that is %s', (_what, stepUp, now, proving, taking) => {
    expect(outcome(decideOpen(stepUp, now))).toBe(proving);
    expect(outcome(decideTake(stepUp, { personId, operation }, now))).toBe(taking);
  });

  it('is good for this person and this operation alone', () => {
    const others: SteppedUpOperation[] = [
      { ...operation, verdict: 'reject' },
      { ...operation, request_id: '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6b' },
      { ...operation, subject_digest: `sha256:${'b'.repeat(64)}` },
      { ...operation, comment: 'Go!' },
      { kind: 'factor_change', change: 'add_totp' },
    ];
    for (const other of others) {
      expect(outcome(decideTake(done, { personId, operation: other }, NOW))).toBe('mfa.other_operation');
    }
    const stranger = { personId: newId<PersonId>(), operation };
    expect(outcome(decideTake(done, stranger, NOW))).toBe('mfa.other_operation');
    expect(outcome(decideTake(null, { personId, operation }, NOW))).toBe('mfa.other_operation');
  });

  it('keeps the answer of a passkey with the operation that it signed, and none of another method', () => {
    const assertion = {
      credential_id: 'credential',
      public_key: 'EdDSA:x',
      relying_party_id: 'countersign.example',
      origin: 'https://countersign.example',
      authenticator_data: 'a',
      client_data_json: 'c',
      signature: 's',
    };
    const byPasskey = proved(open, { method: 'passkey', factorId: newId<FactorId>(), assertion }, NOW);
    expect(assertionDocument(byPasskey)).toEqual({
      id: open.id,
      person_id: personId,
      operation,
      nonce: Buffer.from(open.nonce).toString('base64url'),
      signed_at: NOW,
      ...assertion,
    });
    expect(assertionDocument(done)).toBeNull();
  });

  it('binds the words of a person as they are kept: with secrets masked', () => {
    const said = (comment: string): string => operationDigest(personId, { ...operation, comment });
    expect(said('password=hunter22')).toBe(said('password=[masked]'));
  });

  it('differs in its digest with every word of a justification', () => {
    const glass = (justification: string): SteppedUpOperation => ({
      kind: 'break_glass',
      plan_id: '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a',
      plan_digest: `sha256:${'a'.repeat(64)}`,
      justification,
    });
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(operationDigest(personId, glass(one)) === operationDigest(personId, glass(other))).toBe(one === other);
      }),
    );
  });
});
