import { ParsedTexts } from '#lib/database';
import { autonomyDocumentSchema, type AutonomyDocument } from '#lib/formats';

const documents = new ParsedTexts((text) => autonomyDocumentSchema.parse(JSON.parse(text)));

/** The autonomy document in a stored text. A seal proves the author of the text; this checks that it still is a document. */
export const storedDocument = (text: string): AutonomyDocument => documents.of(text);
