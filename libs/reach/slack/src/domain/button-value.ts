import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '#lib/kernel';

/** The purpose of a button. */
export interface ButtonClaim {
  readonly tenantId: string;
  readonly action: string;
  readonly requestId: string;
  readonly subjectDigest: string;
}

const VALUE = /^v1\.([0-9a-f-]{36})\.([0-9a-f]{64})\.([A-Za-z0-9_-]{43})$/;
const DIGEST_PREFIX = 'sha256:';

/** The value of a button. Only the tenant's signing secret can make or change it (T13). */
export function buttonValue(secret: string, claim: ButtonClaim): string {
  const digest = claim.subjectDigest.slice(DIGEST_PREFIX.length);
  return `v1.${claim.requestId}.${digest}.${tag(secret, claim).toString('base64url')}`;
}

/** The purpose of a button; null if its value was not made for this tenant and action. */
export function readButtonValue(
  secret: string,
  about: Pick<ButtonClaim, 'tenantId' | 'action'>,
  value: string,
): Pick<ButtonClaim, 'requestId' | 'subjectDigest'> | null {
  const [, requestId, digest, given] = VALUE.exec(value) ?? [];
  if (requestId === undefined || digest === undefined || given === undefined || !isUuid(requestId)) return null;
  const claim = { requestId, subjectDigest: `${DIGEST_PREFIX}${digest}` };
  // The text is compared: base64url leaves bits of the last letter open.
  const expected = Buffer.from(tag(secret, { ...about, ...claim }).toString('base64url'));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? claim : null;
}

const tag = (secret: string, { tenantId, action, requestId, subjectDigest }: ButtonClaim): Buffer =>
  createHmac('sha256', secret)
    .update(`countersign:slack-button:v1\n${tenantId}\n${action}\n${requestId}\n${subjectDigest}`, 'utf8')
    .digest();
