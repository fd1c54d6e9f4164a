import type { RunnerProofClaims } from '#lib/formats';
import { digestOf, ok } from '#lib/kernel';
import { judgeProof, judgeUnread } from './judge-proof.js';

const NOW = 1_800_000_000_000;
const SECOND = NOW / 1_000;
const AUDIENCE = 'https://countersign.example';
const request = { method: 'POST', path: '/v1/runner/hello', bodyDigest: digestOf('request-body', { a: 1 }) };
const id = '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a';
const claims: RunnerProofClaims = {
  iss: id,
  aud: AUDIENCE,
  tenant: id,
  jti: id,
  iat: SECOND,
  exp: SECOND + 60,
  method: 'POST',
  path: '/v1/runner/hello',
  body_digest: digestOf('request-body', { a: 1 }),
};

it('accepts the proof of this request', () => {
  expect(judgeProof(claims, request, AUDIENCE, NOW)).toMatchObject({ ok: true });
});

it.each<[string, Partial<RunnerProofClaims>, string]>([
  ['another address', { aud: 'https://other.example' }, 'runner.proof_mismatch'],
  ['another method', { method: 'GET' }, 'runner.proof_mismatch'],
  ['another path', { path: '/v1/runner/hello?x=1' }, 'runner.proof_mismatch'],
  ['another body', { body_digest: digestOf('request-body', { a: 2 }) }, 'runner.proof_mismatch'],
  ['a time that is over', { iat: SECOND - 60, exp: SECOND }, 'runner.proof_expired'],
  ['a time to come', { iat: SECOND + 6, exp: SECOND + 60 }, 'runner.proof_expired'],
  ['a longer life', { exp: SECOND + 61 }, 'runner.proof_expired'],
])('refuses a proof for %s', (_what, changes, code) => {
  expect(judgeProof({ ...claims, ...changes }, request, AUDIENCE, NOW)).toMatchObject({ ok: false, error: { code } });
});

it('accepts the proof of this request before it reads the body', () => {
  expect(judgeUnread({ ...claims, body_digest: digestOf('request-body', 2) }, request, AUDIENCE, NOW)).toEqual(
    ok(null),
  );
});

it.each<[string, Partial<RunnerProofClaims>, string]>([
  ['another address', { aud: 'https://other.example' }, 'runner.proof_mismatch'],
  ['another method', { method: 'GET' }, 'runner.proof_mismatch'],
  ['another path', { path: '/v1/runner/keys' }, 'runner.proof_mismatch'],
  ['a time that is over', { iat: SECOND - 60, exp: SECOND }, 'runner.proof_expired'],
])('refuses a proof for %s before it reads the body', (_what, changes, code) => {
  expect(judgeUnread({ ...claims, ...changes }, request, AUDIENCE, NOW)).toMatchObject({ ok: false, error: { code } });
});

it('bears a clock that is five seconds ahead', () => {
  expect(judgeProof({ ...claims, iat: SECOND + 5 }, request, AUDIENCE, NOW)).toMatchObject({ ok: true });
});
