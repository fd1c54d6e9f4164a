import { bytesToHex } from '@noble/hashes/utils.js';
import type { ExternalCheckpoint } from './check-checkpoints.js';
import { consistencyOf, fakeSigner, leavesOf, noteOf } from './fake-pack.js';
import { failureOf, honest, SIGNER, verifyOf } from './fake-verification.js';
import type { Pack } from './pack-shape.js';
import { signNote, type NoteKey } from './signed-note.js';

describe('the checkpoints of a pack', () => {
  const pack = honest();
  const leaves = leavesOf(pack);
  const note = noteOf(leaves, SIGNER);
  const withCheckpoints = (...checkpoints: Pack['checkpoints']): Pack => ({ ...pack, checkpoints });

  it.each<[code: string, index: string, what: string, checkpoints: Pack['checkpoints']]>([
    ['checkpoint.format', '/checkpoints/0', 'no note', [{ epoch: 1, note: 'note' }]],
    ['checkpoint.format', '/checkpoints/0', 'a second signature', [{ epoch: 1, note: `${note}— other AAAAAAAA\n` }]],
    [
      'checkpoint.key_not_trusted',
      '/checkpoints/0',
      'a key that is not trusted',
      [{ epoch: 1, note: noteOf(leaves, fakeSigner(SIGNER.name, 2)) }],
    ],
    ['checkpoint.signature', '/checkpoints/0', 'a changed text', [{ epoch: 1, note: note.replace('\n4\n', '\n5\n') }]],
    ['checkpoint.other_log', '/checkpoints/0', 'another epoch', [{ epoch: 2, note }]],
    [
      'checkpoint.other_log',
      '/checkpoints/1',
      'an epoch twice',
      [
        { epoch: 1, note },
        { epoch: 1, note },
      ],
    ],
    ['checkpoint.missing', '/checkpoints', 'no checkpoint', []],
    [
      'checkpoint.missing',
      '/entries/0',
      'no checkpoint of the epoch of an entry',
      [{ epoch: 2, note: noteOf(leaves, SIGNER, 2) }],
    ],
  ])('are refused with %s at %s for %s', async (code, pointer, _what, checkpoints) => {
    expect(await failureOf(withCheckpoints(...checkpoints))).toMatchObject({ code, pointer });
  });

  it('name the keys that are not trusted', async () => {
    expect((await failureOf(pack, { trustedKeys: [] }))?.message).toBe(
      `The checkpoint is signed by ${SIGNER.name}, which is not among the trusted keys.`,
    );
  });

  it('are of the tenant of the pack', async () => {
    expect(await failureOf({ ...pack, tenantId: 'tenant-2' })).toMatchObject({
      code: 'checkpoint.other_log',
      message: 'The checkpoint is of the log countersign/tenant-1/1, not of countersign/tenant-2/1.',
    });
  });

  it('may be of several epochs', async () => {
    const later = noteOf(leaves.slice(0, 2), SIGNER, 2);
    const report = await verifyOf(withCheckpoints({ epoch: 1, note }, { epoch: 2, note: later }));
    expect(report.passed).toContain('2 checkpoints signed by a trusted key.');
  });

  describe('with an earlier one', () => {
    const earlier = (size: number, changes: Partial<Pack['consistency'][number]> = {}): Pack => ({
      ...pack,
      consistency: [
        { epoch: 1, note: noteOf(leaves.slice(0, size), SIGNER), proof: consistencyOf(size, leaves), ...changes },
      ],
    });

    it('are proven to continue it', async () => {
      for (let size = 1; size <= 4; size += 1) expect(await failureOf(earlier(size))).toBeNull();
    });

    it('are refused at the second proof of one checkpoint, even among many', async () => {
      const { consistency } = earlier(2);
      const [proof] = consistency;
      if (proof === undefined) throw new Error('there is a proof');
      expect(await failureOf({ ...pack, consistency: Array.from({ length: 20_000 }, () => proof) })).toMatchObject({
        code: 'consistency.proof',
        message: 'Two proofs begin at 2 leaves.',
        pointer: '/consistency/1',
      });
    });

    it.each<[code: string, what: string, pack: Pack]>([
      ['consistency.proof', 'another proof', earlier(2, { proof: [] })],
      ['consistency.proof', 'another history', earlier(2, { note: noteOf([...leaves].reverse().slice(0, 2), SIGNER) })],
      [
        'checkpoint.missing',
        'an epoch without a checkpoint',
        earlier(2, { epoch: 2, note: noteOf(leaves, SIGNER, 2) }),
      ],
      ['checkpoint.format', 'no note', earlier(2, { note: '' })],
      ['checkpoint.other_log', 'another log', earlier(2, { epoch: 2 })],
    ])('are refused with %s for %s', async (code, _what, refused) => {
      expect(await failureOf(refused)).toMatchObject({ code, pointer: '/consistency/0' });
    });
  });

  describe('against one that was kept outside', () => {
    const held = async (
      external: ExternalCheckpoint,
      of = pack,
      keys: readonly NoteKey[] = [SIGNER],
    ): Promise<unknown> => (await failureOf(of, { externalCheckpoint: external, trustedKeys: keys }))?.code ?? null;
    const grown = [...leaves, ...leaves];
    const proofOf = (first: number, all: readonly Uint8Array[]): string[] => consistencyOf(first, all).map(bytesToHex);

    it('are the same', async () => {
      expect(await held({ note })).toBeNull();
      const report = await verifyOf(pack, { externalCheckpoint: { note } });
      expect(report.passed[2]).toBe('The log is the one that the checkpoint held outside speaks of.');
    });

    it('follow a smaller one, by the proof of the pack or of the caller', async () => {
      const smaller = noteOf(leaves.slice(0, 3), SIGNER);
      const proven3: Pack = { ...pack, consistency: [{ epoch: 1, note: smaller, proof: consistencyOf(3, leaves) }] };
      expect(await held({ note: smaller }, proven3)).toBeNull();
      expect(await held({ note: noteOf(leaves.slice(0, 2), SIGNER) }, proven3)).toBe('external_checkpoint.no_proof');
      expect(await held({ note: smaller })).toBe('external_checkpoint.no_proof');
      expect(await held({ note: smaller, proof: proofOf(3, leaves) })).toBeNull();
    });

    it('begin a larger one, by the proof of the caller', async () => {
      const larger = noteOf(grown, SIGNER);
      expect(await held({ note: larger, proof: proofOf(4, grown) })).toBeNull();
      expect(await held({ note: larger })).toBe('external_checkpoint.no_proof');
      expect(await held({ note: larger, proof: [] })).toBe('external_checkpoint.fork');
      expect(await held({ note: larger, proof: proofOf(4, grown).map((hash) => hash.toUpperCase()) })).toBe(
        'external_checkpoint.fork',
      );
      expect(await held({ note: larger, proof: proofOf(4, grown).map((hash) => `${hash}00`) })).toBe(
        'external_checkpoint.fork',
      );
      expect(await held({ note: larger, proof: proofOf(4, grown).map((hash) => `x${hash.slice(1)}`) })).toBe(
        'external_checkpoint.fork',
      );
      expect(await held({ note: larger, proof: proofOf(4, grown).map((hash) => `${hash.slice(1)}x`) })).toBe(
        'external_checkpoint.fork',
      );
      expect((await failureOf(pack, { externalCheckpoint: { note: larger } }))?.message).toBe(
        'Nothing proves that the log of 8 leaves begins with that of 4. Make the pack anew with `countersign evidence plan-1 --output FILE --held CHECKPOINT`, which puts the proof into it; if the server has none, history was rewritten or a backup restored.',
      );
    });

    it.each<[code: string, what: string, note: string]>([
      ['external_checkpoint.format', 'no note', 'note'],
      ['external_checkpoint.key_not_trusted', 'a key that is not trusted', noteOf(leaves, fakeSigner('other'))],
      ['external_checkpoint.signature', 'a changed text', note.replace('\n4\n', '\n5\n')],
      ['external_checkpoint.other_log', 'another epoch', noteOf(leaves, SIGNER, 2)],
      ['external_checkpoint.fork', 'another history', noteOf([...leaves].reverse(), SIGNER)],
    ])('are refused with %s for %s', async (code, _what, other) => {
      expect(await held({ note: other })).toBe(code);
    });

    it('are refused if the pack proves another smaller one of that size', async () => {
      const smaller = noteOf(leaves.slice(0, 3), SIGNER);
      const proven3: Pack = { ...pack, consistency: [{ epoch: 1, note: smaller, proof: consistencyOf(3, leaves) }] };
      expect(await held({ note: noteOf(leaves.slice(1), SIGNER) }, proven3)).toBe('external_checkpoint.fork');
    });

    it('may carry more signatures there', async () => {
      const witness = fakeSigner('witness', 3);
      const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
      const both = note + signNote(text, witness).slice(text.length + 1);
      expect(await held({ note: both })).toBeNull();
      expect(await held({ note: both }, pack, [witness, SIGNER])).toBeNull();
    });
  });
});
