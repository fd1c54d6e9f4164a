import { storedDocument } from './stored-document.js';

describe('a stored autonomy document', () => {
  it('is parsed once', () => {
    const text = '{"autonomy":{"mode":"plan_only"}}';
    expect(storedDocument(text)).toEqual({ autonomy: { mode: 'plan_only' } });
    expect(storedDocument(text)).toBe(storedDocument(text));
  });

  it('is refused if its text is no document', () => {
    expect(() => storedDocument('{"autonomy":{"mode":"unlimited"}}')).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: ['autonomy', 'mode'] })] }) as Error,
    );
  });
});
