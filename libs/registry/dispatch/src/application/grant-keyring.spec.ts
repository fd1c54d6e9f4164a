import { KEY_PUBLICATION_LEAD_MS } from '../domain/grant-key.js';
import { FakeGrants } from './fake-grants.js';
import { GrantKeyring } from './grant-keyring.js';

const CACHE_MS = 30_000;
const HOUR = 3_600_000;

describe('the keys that sign grants', () => {
  let grants: FakeGrants;
  beforeEach(() => {
    grants = new FakeGrants();
  });
  const published = async (): Promise<readonly string[]> =>
    (await grants.keyring.publicSet()).keys.map(({ kid }) => kid);
  const signing = async (): Promise<string> => (await grants.keyring.current()).kid;

  it('begin with one that signs at once, however many processes start together', async () => {
    const starters = Array.from({ length: 5 }, () => new GrantKeyring(grants.keys));
    const kids = await Promise.all(starters.map(async (starter) => (await starter.current()).kid));
    expect(new Set(kids).size).toBe(1);
    expect(await published()).toEqual([kids[0]]);
  });

  it('are published as RFC 7517 wants, without anything private', async () => {
    const [key] = (await grants.keyring.publicSet()).keys;
    expect(key).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
      kid: await signing(),
      alg: 'EdDSA',
      use: 'sig',
    });
  });

  it('are read once for all who ask at the same time, and again for the next', async () => {
    await published();
    const list = jest.spyOn(grants.keys, 'list');
    await Promise.all(Array.from({ length: 100 }, published));
    expect(list).toHaveBeenCalledTimes(1);
    await published();
    expect(list).toHaveBeenCalledTimes(2);
  });

  it('publish the next one before it signs, for as long as others may keep the set', async () => {
    const first = await signing();
    const next = await grants.keyring.rotate();
    expect(next.activeFrom).toBe(grants.uow.now + KEY_PUBLICATION_LEAD_MS);
    expect(await published()).toEqual([first, next.kid]);
    grants.uow.now = next.activeFrom - 1;
    expect(await signing()).toBe(first);
    grants.uow.now += CACHE_MS;
    expect(await signing()).toBe(next.kid);
  });

  it('are looked up again after 30 seconds at the latest', async () => {
    await signing();
    const list = jest.spyOn(grants.keys, 'list');
    grants.uow.now += CACHE_MS - 1;
    await signing();
    expect(list).not.toHaveBeenCalled();
    grants.uow.now += 1;
    await signing();
    expect(list).toHaveBeenCalled();
  });

  it('stay published for an hour after their successor took over', async () => {
    const first = await signing();
    const next = await grants.keyring.rotate();
    grants.uow.now = next.activeFrom + HOUR - 1;
    expect(await published()).toEqual([first, next.kid]);
    grants.uow.now += 1;
    expect(await published()).toEqual([next.kid]);
  });

  it('are rotated once, however many ask at once', async () => {
    await signing();
    const next = await Promise.all([1, 2, 3].map(() => new GrantKeyring(grants.keys).rotate()));
    expect(new Set(next.map(({ kid }) => kid)).size).toBe(1);
    expect(await published()).toHaveLength(2);
  });

  it('are rotated by age, once, and not before', async () => {
    await grants.keyring.rotateIfOlderThan(HOUR);
    expect((await grants.keys.list()).keys).toEqual([]);
    await signing();
    grants.uow.now += HOUR;
    await grants.keyring.rotateIfOlderThan(HOUR);
    expect(await published()).toHaveLength(1);
    grants.uow.now += 1;
    const workers = [1, 2, 3].map(() => new GrantKeyring(grants.keys));
    await Promise.all(workers.map((worker) => worker.rotateIfOlderThan(HOUR)));
    await grants.keyring.rotateIfOlderThan(HOUR);
    expect(await published()).toHaveLength(2);
  });
});
