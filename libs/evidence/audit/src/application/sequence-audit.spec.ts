import { newId, type AuditEntryId } from '#lib/kernel';
import {
  entryLeafHash,
  isSignedBy,
  nodeHash,
  originOf,
  parseCheckpoint,
  trustedSignature,
  verifyConsistency,
  verifyInclusion,
} from '#lib/verifier';
import { headerOf } from '../domain/audit-entry.js';
import { fakeAuditLog, type FakeAuditLog } from './fake-audit-log.js';

/** RFC 6962 section 2.1 word for word. */
function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined || leaves.length === 1) return only ?? new Uint8Array();
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return nodeHash(naiveRoot(leaves.slice(0, half)), naiveRoot(leaves.slice(half)));
}

const sequenced = (log: FakeAuditLog, found?: readonly AuditEntryId[]) =>
  log.sequence.execute(log.home.tenantId, found);
const record = async (log: FakeAuditLog, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await log.record({ payload: { n } });
};
const rootOf = ({ entries, home }: FakeAuditLog, size: number): Uint8Array =>
  naiveRoot(
    entries
      .of(home)
      .slice(0, size)
      .map(({ entry }) => entryLeafHash(headerOf(entry))),
  );

describe('the sequencer', () => {
  it('gives each entry its leaf in order, and signs the root, over batches of every size', async () => {
    const log = fakeAuditLog();
    let size = 0;
    for (const batch of [1, 2, 3, 1, 8, 5]) {
      await record(log, batch);
      expect(await sequenced(log)).toEqual({ sequenced: batch, more: false });
      size += batch;
      const checkpoint = await log.latest();
      expect(checkpoint).toMatchObject({ epoch: 1, treeSize: size, signedAt: log.uow.now, publishedAt: null });
      expect(Buffer.from(checkpoint?.rootHash ?? [])).toEqual(Buffer.from(rootOf(log, size)));
      const parsed = parseCheckpoint(checkpoint?.note ?? '');
      expect(parsed?.checkpoint).toMatchObject({ origin: originOf(log.home.tenantId, 1), treeSize: size });
      const keys = await log.uow.run(log.home.tenantId, (tx) => log.keys.list(tx));
      expect(keys).toHaveLength(1);
      const signature = parsed && trustedSignature(parsed.note, keys);
      expect(parsed && signature && isSignedBy(parsed.note, signature.key, signature.signature)).toBe(true);
    }
    expect(await sequenced(log)).toEqual({ sequenced: 0, more: false });
  });

  it('takes the entries that a look found', async () => {
    const log = fakeAuditLog();
    const [first, , third] = [await log.record(), await log.record(), await log.record()];
    expect(await sequenced(log, [first, third, newId<AuditEntryId>()])).toEqual({ sequenced: 2, more: false });
    expect(await sequenced(log)).toEqual({ sequenced: 1, more: false });
    expect(await log.latest()).toMatchObject({ treeSize: 3 });
  });

  it('takes a long backlog in parts, from those that it set aside', async () => {
    const log = fakeAuditLog();
    await record(log, 1_001);
    expect(await sequenced(log)).toEqual({ sequenced: 1_000, more: true });
    await log.record();
    expect(log.tree.unsequencedOf(log.home.tenantId)).toHaveLength(2);
    expect(await sequenced(log, [])).toEqual({ sequenced: 1, more: false });
    expect(await sequenced(log)).toEqual({ sequenced: 1, more: false });
    expect(Buffer.from((await log.latest())?.rootHash ?? [])).toEqual(Buffer.from(rootOf(log, 1_002)));
  });

  it('signs nothing without the private key, sets the entries aside, and goes on once the key is there', async () => {
    const log = fakeAuditLog();
    await log.record();
    await sequenced(log);
    await log.record();
    await log.record();
    const signer = log.keyStore.signer.bind(log.keyStore);
    log.keyStore.signer = () => Promise.resolve(null);
    await expect(sequenced(log)).rejects.toThrow('The private half of the audit key');
    expect(await log.latest()).toMatchObject({ treeSize: 1 });
    expect(log.tree.unsequencedOf(log.home.tenantId)).toHaveLength(1);
    log.keyStore.signer = signer;
    expect(await sequenced(log, [])).toEqual({ sequenced: 2, more: false });
  });

  it('gives every entry one leaf, if many sequence at once', async () => {
    const log = fakeAuditLog();
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        await log.record();
        await sequenced(log);
      }),
    );
    await sequenced(log);
    expect(await log.latest()).toMatchObject({ treeSize: 20 });
  });
});

describe('a sequenced entry', () => {
  const proving = async (count: number) => {
    const log = fakeAuditLog();
    await record(log, count);
    await sequenced(log);
    const { home, getEntry, consistencyProof } = log;
    return {
      ...log,
      log,
      get: (id: AuditEntryId, { tenantId } = home) => getEntry.execute(tenantId, id),
      grown: (first: number, second?: number, epoch = 1) =>
        consistencyProof.execute(home.tenantId, { epoch, first, ...(second === undefined ? {} : { second }) }),
    };
  };

  it('is proved to be in the log', async () => {
    const { entries, home, get } = await proving(11);
    for (const [index, { entry }] of entries.of(home).entries()) {
      const found = await get(entry.id);
      if (!found.ok || found.value.proof === null) throw new Error('there is no proof');
      const { header, payload, salt, proof } = found.value;
      expect([header, payload, salt?.length]).toEqual([headerOf(entry), { n: index }, 32]);
      const { leafIndex, inclusion, checkpoint } = proof;
      const { treeSize: size, rootHash: root } = checkpoint;
      const leaf = entryLeafHash(header);
      expect(leafIndex).toBe(index);
      expect(verifyInclusion({ index: leafIndex, size, leaf, proof: inclusion, root })).toBe(true);
    }
  });

  it('has no proof before it has a leaf, and none in another tenant', async () => {
    const { log, get, other } = await proving(1);
    const id = await log.record();
    expect(await get(id)).toMatchObject({ ok: true, value: { proof: null, payload: { n: 1 } } });
    expect(await get(id, other)).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
    expect(await get(newId<AuditEntryId>())).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
  });

  it('is proved without its payload once that was erased', async () => {
    const { log, get, entries, home, uow } = await proving(3);
    const [first] = entries.of(home);
    if (first === undefined) throw new Error('there is no entry');
    await uow.run(home.tenantId, (tx) => {
      entries.erase(tx, [first.entry.id]);
      return Promise.resolve();
    });
    expect(await get(first.entry.id)).toMatchObject({
      value: { payload: undefined, salt: undefined, proof: { leafIndex: 0 } },
    });
    expect(await log.latest()).toMatchObject({ treeSize: 3 });
  });

  it('is in a log that only grew', async () => {
    const { log, grown } = await proving(6);
    await record(log, 5);
    await sequenced(log);
    for (let first = 1; first <= 11; first += 1) {
      const proved = await grown(first);
      const proof = proved.ok ? proved.value.proof : [];
      const [firstRoot, secondRoot] = [rootOf(log, first), rootOf(log, 11)];
      expect(verifyConsistency({ firstSize: first, firstRoot, secondSize: 11, secondRoot, proof })).toBe(true);
    }
  });

  it.each<[number, number | undefined, number]>([
    [0, undefined, 1],
    [7, undefined, 1],
    [4, 3, 1],
    [1, 7, 1],
    [1, undefined, 2],
  ])('has no proof of growth from %s to %s in epoch %s', async (first, second, epoch) => {
    const { grown } = await proving(6);
    expect(await grown(first, second, epoch)).toMatchObject({ ok: false, error: { code: 'audit.no_such_size' } });
  });
});
