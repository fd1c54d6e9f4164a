import { FailureError } from '#lib/kernel';
import { recordMalformed, unlessMalformed } from './record-malformed.js';

describe('a record that is read unless it is malformed', () => {
  it('is null if it is, and itself if not', async () => {
    const malformed = new FailureError(recordMalformed('run', 'It lacks its start.'));
    expect(malformed.failure).toMatchObject({ code: 'record.malformed', details: { table: 'run' } });
    expect(await unlessMalformed(Promise.reject(malformed))).toBeNull();
    expect(await unlessMalformed(Promise.resolve('row'))).toBe('row');
  });

  it('fails with every other error', async () => {
    await expect(unlessMalformed(Promise.reject(new Error('the connection is lost')))).rejects.toThrow('connection');
  });
});
