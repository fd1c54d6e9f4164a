/**
 * The words every other library speaks: Result and Failure, branded ids, principals and digests. Also the ports that
 * use cases are written against (unit of work, audit sink, job queue).
 *
 * Also lists that one library writes and another reads, if neither may import the other. They list ids, kinds of
 * changes, jobs, messages of the outbox, and sealed tables; places in the audit log, and ports of its followers. A new
 * entry of a library stands here, too. A name of one or two libraries stands in one of them: test/architecture counts
 * the users of each.
 *
 * Owns no state beyond a transaction's and does no I/O. Never imports a framework, and knows no rule of a stage: only names.
 */
export * from './audit-sink.js';
export * from './digest.js';
export * from './error-code.js';
export * from './failure.js';
export * from './change-request.js';
export * from './ids.js';
export * from './job-queue.js';
export * from './cleaned.js';
export { MASK, maskChunk, maskHeld, maskSecrets, maskSecretText, type HeldText } from './mask-secrets.js';
export * from './outbox.js';
export * from './page.js';
export * from './principal.js';
export * from './result.js';
export * from './row-seals.js';
export * from './secret-digests.js';
export * from './subject.js';
export * from './timestamps.js';
export * from './unit-of-work.js';
