import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf, rotateIfOld } from './enrol.js';
import { PlaneError, type Plane } from './plane.js';
import { KeyFile, type RunnerIdentity } from './runner-key.js';

const id = '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a';
const MONTH_MS = 30 * 24 * 3_600_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-key-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const enrolling = (keys: string[] = []): Pick<Plane, 'enrol'> => ({
  enrol: (_token: string, publicKey: string) => {
    keys.push(publicKey);
    return Promise.resolve({ tenant_id: id, runner_id: id, key_id: id, name: 'n', pool: 'p' });
  },
});
const nowhere: Pick<Plane, 'enrol'> = { enrol: () => Promise.reject(new Error('it is not asked')) };
const options = { token: 'a token', version: '1', now: 5 };

it('exchanges the token once, and keeps the key for its owner alone', async () => {
  const offered: string[] = [];
  const made = await identityOf(new KeyFile(folder), enrolling(offered), options);
  expect(offered).toEqual([made.private_key.x]);
  expect(readdirSync(folder)).toEqual(['key.json']);
  expect(statSync(join(folder, 'key.json')).mode & 0o777).toBe(0o600);
  expect(await identityOf(new KeyFile(folder), nowhere, { ...options, token: null })).toEqual(made);
});

it('offers the same key again if the first answer was lost', async () => {
  const offered: string[] = [];
  const lost = {
    enrol: (_token: string, publicKey: string) => {
      offered.push(publicKey);
      return Promise.reject(new PlaneError('runner.unreachable', 'away', true));
    },
  };
  const refused = { failure: { code: 'runner.unreachable' } };
  await expect(identityOf(new KeyFile(folder), lost, options)).rejects.toMatchObject(refused);
  await identityOf(new KeyFile(folder), enrolling(offered), options);
  expect(new Set(offered).size).toBe(1);
});

it('says that another machine may have used its token', async () => {
  const taken = { enrol: () => Promise.reject(new PlaneError('runner.enrolment_refused', 'used', false)) };
  await expect(identityOf(new KeyFile(folder), taken, options)).rejects.toMatchObject({
    failure: { code: 'runner.enrolment_refused', action: expect.stringContaining('revoke that runner') as string },
  });
});

it('needs a token before it has a key', async () => {
  const refused = { failure: { code: 'runner.not_enrolled' } };
  await expect(identityOf(new KeyFile(folder), nowhere, { ...options, token: null })).rejects.toMatchObject(refused);
});

it('replaces a key of 30 days, and offers the same new one until Countersign has it', async () => {
  const keys = new KeyFile(folder);
  const identity = await identityOf(keys, enrolling(), options);
  const offered: string[] = [];
  const used: RunnerIdentity[] = [];
  let answers = false;
  const plane = {
    rotate: (publicKey: string) => {
      offered.push(publicKey);
      return answers ? Promise.resolve(id.replace('0198', '0199')) : Promise.reject(new Error('lost'));
    },
    use: (next: RunnerIdentity) => void used.push(next),
  };
  expect(await rotateIfOld(keys, plane, identity, 5 + MONTH_MS - 1)).toBe(identity);
  await expect(rotateIfOld(keys, plane, identity, 5 + MONTH_MS)).rejects.toThrow('lost');
  answers = true;
  const next = await rotateIfOld(keys, plane, identity, 5 + MONTH_MS);
  expect(offered).toEqual([next.private_key.x, next.private_key.x]);
  expect(next.private_key.x).not.toBe(identity.private_key.x);
  expect(used).toEqual([next]);
  expect(await keys.read()).toEqual(next);
});
