import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeKeyring } from '../application/keyring.contract.js';
import { type FileKeyring, openKeyring } from './file-keyring.js';

/** A keyring in a folder of its own, as the first start makes it. */
async function opened() {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-keyring-'));
  const keyring = await openKeyring({}, directory);
  return {
    directory,
    file: join(directory, 'keyring.json'),
    keyring,
    close: () => {
      rmSync(directory, { recursive: true });
    },
  };
}

describeKeyring('FileKeyring', async () => {
  const { file, keyring, close } = await opened();
  return {
    keyring,
    close,
    addKey: () => keyring.addKey(),
    removeKey: (id) => {
      const { current, keys } = JSON.parse(readFileSync(file, 'utf8')) as { current: string; keys: object };
      const others = Object.entries(keys).filter(([key]) => key !== id);
      writeFileSync(file, JSON.stringify({ current, keys: Object.fromEntries(others) }));
    },
  };
});

describe('the file of a keyring', () => {
  let directory: string;
  let file: string;
  let keyring: FileKeyring;
  let close: () => void;
  beforeEach(async () => {
    ({ directory, file, keyring, close } = await opened());
  });
  afterEach(() => {
    close();
  });

  it('is made once, for its owner alone, and stays', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, 'utf8');
    await openKeyring({}, directory);
    expect(readFileSync(file, 'utf8')).toBe(before);
    await keyring.addKey();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is one for all processes that start together', async () => {
    const fresh = join(directory, 'fresh');
    const all = await Promise.all(Array.from({ length: 10 }, () => openKeyring({}, fresh)));
    const ids = await Promise.all(all.map(async (each) => (await each.current()).id));
    expect(new Set(ids).size).toBe(1);
    expect(readdirSync(fresh)).toEqual(['keyring.json']);
  });

  it('is refused if others may read it', async () => {
    chmodSync(file, 0o640);
    await expect(openKeyring({}, directory)).rejects.toMatchObject({ failure: { code: 'start.wrong_setting' } });
    await expect(keyring.current()).rejects.toThrow('can be read by others');
  });

  it('must exist if COUNTERSIGN_KEYRING names it', async () => {
    const missing = openKeyring({ COUNTERSIGN_KEYRING: join(directory, 'none.json') }, directory);
    await expect(missing).rejects.toMatchObject({ failure: { code: 'start.wrong_setting' } });
    await expect(missing).rejects.toThrow('There is no keyring at');
  });

  it('is not made in the place of one with an empty name', async () => {
    const fresh = join(directory, 'unnamed');
    await expect(openKeyring({ COUNTERSIGN_KEYRING: '' }, fresh)).rejects.toThrow('COUNTERSIGN_KEYRING is empty.');
    expect(existsSync(fresh)).toBe(false);
  });

  it.each([
    ['is not JSON', 'hunter2'],
    ['has a short key', JSON.stringify({ current: 'a', keys: { a: 'aHVudGVyMg==' } })],
    ['names a key that it lacks', JSON.stringify({ current: 'b', keys: { a: Buffer.alloc(32).toString('base64') } })],
  ])('is refused if it %s, and the refusal repeats nothing of it', async (_what, content) => {
    writeFileSync(file, content);
    const error: unknown = await keyring.current().catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('is not one');
    expect(String(error)).not.toMatch(/hunter2|aHVudGVyMg/);
  });
});
