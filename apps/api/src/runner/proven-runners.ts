import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Json } from '#lib/canonical';
import { RUNNER_PROOF_HEADER } from '#lib/formats';
import { digestOf } from '#lib/kernel';
import { VerifyProof, type ProvenRunner } from '#lib/runner-pool';
import { unwrap } from '../http/index.js';

/** Lets a request in by the proof that a runner signed for it. */
@Injectable()
export class ProvenRunners {
  constructor(private readonly proofs: VerifyProof) {}

  /** @throws {FailureError} the failures of {@link VerifyProof}. */
  async of(request: FastifyRequest): Promise<ProvenRunner> {
    const proof = request.headers[RUNNER_PROOF_HEADER];
    const { method, url, body } = request;
    return unwrap(
      await this.proofs.execute(typeof proof === 'string' ? proof : undefined, {
        method,
        path: url,
        bodyDigest: digestOf('request-body', (body ?? null) as Json),
      }),
    );
  }
}
