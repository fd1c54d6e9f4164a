import { FailureError } from '#lib/kernel';

/** The strong entity tag (RFC 9110 section 8.8.3) of a document's revision or digest. */
export const etagOf = (revision: string): string => `"${revision}"`;

/**
 * Refuses a change of a document somebody else has changed meanwhile.
 *
 * @param current the entity tag now, or null if there is no document yet; then `If-None-Match: *` or nothing is right.
 */
export function requireIfMatch(ifMatch: string | undefined, current: string | null): void {
  if (current === null) {
    if (ifMatch === undefined) return;
    throw changed();
  }
  if (ifMatch === undefined) {
    throw new FailureError({
      kind: 'precondition_required',
      code: 'request.if_match_required',
      message: 'A change of this document must say which revision it was made from.',
      action: 'Read the document, and send its ETag back as If-Match.',
    });
  }
  if (ifMatch.split(',').every((tag) => tag.trim() !== current)) throw changed();
}

const changed = (): FailureError =>
  new FailureError({
    kind: 'precondition_failed',
    code: 'request.if_match_failed',
    message: 'The document was changed after you read it.',
    action: 'Read it again, apply your change to that, and send its ETag as If-Match.',
  });
