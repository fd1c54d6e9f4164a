import { z } from 'zod';
import { MalformedRecordError, parsedPlainText, parsedText, parsedValue, unlessMalformed } from './record-malformed.js';

describe('a record that is read unless it is malformed', () => {
  it('is null if it is, and itself if not', async () => {
    const malformed = new MalformedRecordError({ table: 'run' }, 'It lacks its start.');
    expect(malformed.failure).toMatchObject({ code: 'record.malformed', details: { table: 'run' } });
    expect(await unlessMalformed(Promise.reject(malformed))).toBeNull();
    expect(await unlessMalformed(Promise.resolve('row'))).toBe('row');
  });

  it('fails with every other error', async () => {
    await expect(unlessMalformed(Promise.reject(new Error('the connection is lost')))).rejects.toThrow('connection');
  });
});

describe('a malformed record', () => {
  const at = { table: 'run', column: 'reason' };
  const schema = z.object({ code: z.literal('secret-code') });
  const errorOf = (read: () => unknown): MalformedRecordError => {
    try {
      read();
    } catch (error) {
      if (error instanceof MalformedRecordError) return error;
    }
    throw new Error('It was read.');
  };

  it.each([
    ['a value', () => parsedValue(schema, { code: 'hunter2' }, at), 'invalid_value at /code'],
    ['a text', () => parsedText(schema, '{"code":"hunter2"}', at), 'invalid_value at /code'],
    ['a text that is no JSON', () => parsedText(schema, 'hunter2', at), 'no JSON'],
    ['a text with a key twice', () => parsedText(schema, '{"code":"hunter2","code":1}', at), 'no strict one'],
  ])('names the place of %s, and no part of it', (_what, read, mistake) => {
    const { message, failure } = errorOf(read).inRow('0197');
    expect(failure).toMatchObject({ kind: 'internal', details: { ...at, id: '0197' } });
    expect(message).toContain('run.reason of 0197');
    expect(message).toContain(mistake);
    expect(JSON.stringify([message, failure])).not.toContain('hunter2');
  });

  it.each([
    [{ function: 'run_turn_facts' }, 'An answer of the database (function run_turn_facts() of 0197)'],
    [{ question: 'the people of an incident' }, 'An answer of the database (the people of an incident of 0197)'],
  ])('names the answer that is malformed by %j', (answer, words) => {
    const { failure } = errorOf(() => parsedValue(schema, null, { ...answer, id: '0197' }));
    expect(failure).toMatchObject({ code: 'record.malformed', details: { ...answer, id: '0197' } });
    expect(failure.message).toContain(words);
    expect(failure.action).toContain('a function of the database');
  });

  it('takes half of a character from a plain text alone', () => {
    const half = JSON.stringify('🎉'.slice(1));
    expect(parsedPlainText(z.string(), half, at)).toBe('🎉'.slice(1));
    expect(() => parsedText(z.string(), half, at)).toThrow(MalformedRecordError);
    expect(() => parsedPlainText(schema, 'hunter2', at)).toThrow('It is no JSON');
  });

  it('keeps the id that it was read with', () => {
    const error = errorOf(() => parsedValue(schema, null, { ...at, id: 'first' }));
    expect(error.inRow('second').failure.details).toEqual({ ...at, id: 'first' });
    expect(errorOf(() => parsedValue(schema, null, at)).inRow(7).failure.details).toEqual(at);
  });
});
