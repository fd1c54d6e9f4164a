import type { FastifyRequest } from 'fastify';
import { FailureError, MASK, maskSecrets, type Failure, type Principal } from '#lib/kernel';
import { isReasonLength, REASON_LENGTH } from '#lib/words';

/** The reason for a change of a guardrail: UTF-8, percent-encoded, on any request whose change may wait. */
const REASON_HEADER = 'countersign-reason';

/** The caller with the reason that they gave, if they gave one. Secrets in it are masked before anything is kept. */
export function withStatedReason(principal: Principal, request: FastifyRequest): Principal {
  const given = request.headers[REASON_HEADER];
  if (given === undefined || principal.kind !== 'person') return principal;
  const text = typeof given === 'string' ? decoded(given)?.trim() : undefined;
  if (text === undefined || !isReasonLength(text) || text.includes('\0')) throw new FailureError(invalid);
  const masked = maskSecrets(text);
  return { ...principal, reason: typeof masked === 'string' ? masked : MASK };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const invalid: Failure = {
  kind: 'unprocessable',
  code: 'change.reason_invalid',
  message: `A reason has ${REASON_LENGTH}, percent-encoded as UTF-8.`,
  action:
    'Say in a sentence why you ask for this change. In the header Countersign-Reason, encode it as a URI component.',
};
