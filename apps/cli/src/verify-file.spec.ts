import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { honest, verifyOf } from '../../../libs/foundation/verifier/src/fake-verification.js';
import { reportLines, verifyFile } from './verify-file.js';

const CHUNK_BYTES = 1024 * 1024;

test('a pipe that gives little at a time takes no more memory than a file', async () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'countersign-verify-'));
  const keys = join(folder, 'keys');
  // It is read to its end: the key that is not one stands there.
  fs.writeFileSync(keys, `${'#\n'.repeat(50 * 1024)}no key`);
  const read = fs.readSync;
  const reads = jest
    .spyOn(fs, 'readSync')
    .mockImplementation(((descriptor: number, into: Buffer, offset: number) =>
      read(descriptor, into, offset, 1024, null)) as typeof read);
  const allocated = jest.spyOn(Buffer, 'allocUnsafe');
  try {
    const output = { result: jest.fn(), note: jest.fn() } as never;
    await expect(verifyFile('pack', { key: [keys] }, output, () => Promise.resolve(null))).rejects.toMatchObject({
      code: 'verify.key_malformed',
    });
    expect(reads.mock.calls.length).toBeGreaterThan(100);
    expect(allocated.mock.calls.filter(([size]) => size === CHUNK_BYTES).length).toBeLessThanOrEqual(2);
  } finally {
    reads.mockRestore();
    allocated.mockRestore();
    fs.rmSync(folder, { recursive: true });
  }
});

test('a warning of the report is no passed check', async () => {
  const report = {
    ...(await verifyOf(honest())),
    passed: ['Signed.'],
    warnings: ['BREAK-GLASS: Ada executed this plan.'],
  };
  expect(reportLines(report).map(stripVTControlCharacters)).toEqual([
    'ok    Signed.',
    '!!    BREAK-GLASS: Ada executed this plan.',
    '',
    expect.stringMatching(/^Verified\. /),
  ]);
});
