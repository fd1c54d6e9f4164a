import { readableDocument, storedDocument } from './stored-document.js';

describe('a stored autonomy document', () => {
  it('is parsed once', () => {
    const text = '{"autonomy":{"mode":"plan_only"}}';
    expect(storedDocument(text)).toEqual({ autonomy: { mode: 'plan_only' } });
    expect(storedDocument(text)).toBe(storedDocument(text));
  });

  it.each(['{"autonomy":{"mode":"unlimited"}}', 'autonomy'])('is refused if its text is no document: %s', (text) => {
    expect(() => storedDocument(text)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code: 'record.malformed' }) as unknown }) as Error,
    );
    expect(readableDocument(text)).toBeNull();
  });
});
