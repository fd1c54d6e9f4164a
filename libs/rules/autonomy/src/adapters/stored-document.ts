import { ParsedTexts } from '#lib/database';
import { autonomyDocumentSchema, type AutonomyDocument } from '#lib/formats';

const documents = new ParsedTexts('autonomy_revision', 'document', autonomyDocumentSchema);

/** The autonomy document in the text of a revision. A seal proves the author of the text; this checks that it still is a document. */
export const storedDocument = (text: string, revisionId: string): AutonomyDocument => documents.of(text, revisionId);

/** The autonomy document in a stored text whose seal is unchecked; null if it is none. */
export function readableDocument(text: string, revisionId: string): AutonomyDocument | null {
  try {
    return storedDocument(text, revisionId);
  } catch {
    return null;
  }
}
