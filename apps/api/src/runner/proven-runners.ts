import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Json } from '#lib/canonical';
import { RUNNER_PROOF_HEADER } from '#lib/formats';
import { digestOf } from '#lib/kernel';
import { VerifyProof, type ProvenRunner } from '#lib/runner-pool';
import { markKnown, unwrap } from '../http/index.js';

/** Lets a request in by the proof that a runner signed for it. */
@Injectable()
export class ProvenRunners {
  constructor(private readonly proofs: VerifyProof) {}

  /** @throws {FailureError} the failures of {@link VerifyProof}. */
  async of(request: FastifyRequest): Promise<ProvenRunner> {
    const { method, url, body } = request;
    return unwrap(
      await this.proofs.execute(proofIn(request), {
        method,
        path: url,
        // The parsers of bodies give JSON.
        bodyDigest: digestOf('request-body', (body ?? null) as Json),
      }),
    );
  }

  /**
   * Lets a long body be read, if a runner signed the proof beside it for this route. Whether the proof is for this body shows afterwards.
   *
   * @throws {FailureError} the failures of {@link VerifyProof.recognise}.
   */
  async recognise(request: FastifyRequest): Promise<void> {
    unwrap(await this.proofs.recognise(proofIn(request), { method: request.method, path: request.url }));
    markKnown(request);
  }
}

const proofIn = ({ headers }: FastifyRequest): string | undefined => {
  const proof = headers[RUNNER_PROOF_HEADER];
  return typeof proof === 'string' ? proof : undefined;
};
