import type { FastifyRequest } from 'fastify';
import { RUNNER_PROOF_HEADER } from '#lib/formats';
import { digestOf, err, newId, ok, type Failure, type TenantId } from '#lib/kernel';
import type { ProvenRunner, VerifyProof } from '#lib/runner-pool';
import { ProvenRunners } from './proven-runners.js';

const refused: Failure = { kind: 'unauthenticated', code: 'runner.proof_refused', message: 'no', action: 'enrol' };
// The route takes the runner as the verifier gives it.
const runner = { tenantId: newId<TenantId>(), keyId: newId() } as unknown as ProvenRunner;

/** Runners whose proof `good` is good, and each question of the verifier. */
function provenRunners() {
  const execute = jest.fn<ReturnType<VerifyProof['execute']>, Parameters<VerifyProof['execute']>>((proof) =>
    Promise.resolve(proof === 'good' ? ok(runner) : err(refused)),
  );
  // A route asks the verifier for this alone.
  const proven = new ProvenRunners({ execute } as unknown as VerifyProof);
  const of = (proof: unknown, body?: unknown): Promise<ProvenRunner> =>
    // These members of a request are read, and no other.
    proven.of({
      ...{ method: 'POST', url: '/v1/runner/goodbye?a=1', body },
      headers: { [RUNNER_PROOF_HEADER]: proof },
    } as unknown as FastifyRequest);
  return { of, execute };
}

describe('a runner', () => {
  it.each([
    ['a body', { reason: 'upgrade' }, { reason: 'upgrade' }],
    ['no body', undefined, null],
  ])('proves the method, the path with its query, and the digest of %s', async (_what, body, signed) => {
    const { of, execute } = provenRunners();
    expect(await of('good', body)).toBe(runner);
    expect(execute).toHaveBeenCalledWith('good', {
      ...{ method: 'POST', path: '/v1/runner/goodbye?a=1' },
      bodyDigest: digestOf('request-body', signed),
    });
  });

  it.each([
    ['another proof', 'forged', 'forged'],
    ['no proof', undefined, undefined],
    ['two proofs', ['good', 'good'], undefined],
  ])('is refused with %s', async (_what, header, seen) => {
    const { of, execute } = provenRunners();
    await expect(of(header)).rejects.toMatchObject({ failure: refused });
    expect(execute).toHaveBeenCalledWith(seen, expect.anything());
  });
});
