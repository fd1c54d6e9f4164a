import { canonicalJson } from '#lib/canonical';
import { bytesToHex } from '@noble/hashes/utils.js';
import { entryLeafHash, payloadDigest } from './audit-entry.js';
import type { TrustedCheckpoint } from './check-checkpoints.js';
import { verifyInclusion } from './merkle.js';
import type { Pack } from './pack-shape.js';
import { refuse } from './verification-failure.js';

/** Every entry is in the log at its place, in order. Its payload is the one it was recorded with. */
export function checkEntries(pack: Pack, checkpoints: ReadonlyMap<number, TrustedCheckpoint>): void {
  let before = { epoch: 0, leafIndex: -1 };
  pack.entries.forEach((entry, index) => {
    const pointer = `/entries/${String(index)}`;
    const { header, epoch, leafIndex } = entry;
    const name = `The entry ${header.id} (${header.action})`;
    if (header.tenant_id !== pack.tenantId) refuse('entry.other_tenant', `${name} is of another tenant.`, pointer);
    if (epoch < before.epoch || (epoch === before.epoch && leafIndex <= before.leafIndex)) {
      refuse('entry.order', `${name} stands out of the log's order, or twice.`, pointer);
    }
    before = { epoch, leafIndex };
    const checkpoint = checkpoints.get(epoch)?.checkpoint;
    if (checkpoint === undefined)
      return refuse('checkpoint.missing', `There is no checkpoint of epoch ${String(epoch)}.`, pointer);
    const claim = {
      index: leafIndex,
      size: checkpoint.treeSize,
      leaf: entryLeafHash(header),
      proof: entry.inclusion,
      root: checkpoint.rootHash,
    };
    if (!verifyInclusion(claim)) refuse('entry.inclusion', `${name} is not in the log, or was changed.`, pointer);
    if (entry.facts !== null) {
      const digest = `sha256:${bytesToHex(payloadDigest(entry.facts.salt, canonicalJson(entry.facts.payload)))}`;
      if (digest !== header.payload_digest)
        refuse('entry.payload', `The payload of ${name.replace('The', 'the')} was changed.`, `${pointer}/facts`);
    }
  });
}
