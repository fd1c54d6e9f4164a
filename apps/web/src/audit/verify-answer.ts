import type { VerificationReport } from '#lib/verifier';
import type { VerifyAnswer } from './verify-job.js';

/**
 * The parts of a report that the page shows.
 *
 * @param keysGiven whether the reader gave approver keys: without any, all approvals rely on the server.
 */
export const answerOf = (
  { outcome, passed, warnings, failure, notThere, notMade, approvals, entries, documents, subject }: VerificationReport,
  keysGiven: boolean,
): VerifyAnswer => ({
  outcome,
  passed,
  warnings,
  failure,
  notThere,
  notMade,
  approvals: approvals.map(({ line, shownBy }) => ({ line, kept: shownBy === 'kept_key' })),
  notSigned: keysGiven ? approvals.filter(({ lets, shownBy }) => lets && shownBy !== 'kept_key').length : null,
  entries: entries.length,
  documents: documents.length,
  subject,
});
