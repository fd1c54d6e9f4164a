import { readableDocument, storedDocument } from './stored-document.js';

describe('a stored autonomy document', () => {
  it('is parsed once', () => {
    const text = '{"autonomy":{"mode":"plan_only"}}';
    expect(storedDocument(text, 'r1')).toEqual({ autonomy: { mode: 'plan_only' } });
    expect(storedDocument(text, 'r1')).toBe(storedDocument(text, 'r1'));
  });

  it.each(['{"autonomy":{"mode":"unlimited"}}', 'autonomy'])('is refused if its text is no document: %s', (text) => {
    expect(() => storedDocument(text, 'r1')).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({
          code: 'record.malformed',
          details: { table: 'autonomy_revision', column: 'document', id: 'r1' },
        }) as unknown,
      }) as Error,
    );
    expect(readableDocument(text, 'r1')).toBeNull();
  });
});
