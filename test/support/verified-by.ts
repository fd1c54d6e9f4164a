import { parseNoteKey, replayDecisions, verifyPack, type ApproverKey, type VerificationReport } from '#lib/verifier';
import { expectStatus, type HttpAs } from './api.js';

/** Verifies a pack as `countersign verify` does, with the keys that somebody who audits is given. */
export async function verifiedBy(
  auditor: HttpAs,
  pack: string,
  approverKeys?: readonly ApproverKey[],
): Promise<VerificationReport> {
  const { items } = expectStatus(await auditor.get('/v1/audit/keys'), 200).body as { items: { key: string }[] };
  const trustedKeys = items.flatMap(({ key }) => parseNoteKey(key) ?? []);
  return verifyPack(Buffer.from(pack), {
    trustedKeys,
    replay: (job) => Promise.resolve(replayDecisions(job)),
    ...(approverKeys === undefined ? {} : { approverKeys }),
  });
}
