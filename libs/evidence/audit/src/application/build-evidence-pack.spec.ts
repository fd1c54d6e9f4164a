import { countValues, parseStrictJson, type Json } from '#lib/canonical';
import { actorOf, digestOf, newId, type EvidenceRef, type PlanId } from '#lib/kernel';
import type { PackBounds } from '../domain/pack-bounds.js';
import { BuildEvidencePack, type EvidenceDocument } from './build-evidence-pack.js';
import { fakeAuditLog } from './fake-audit-log.js';

const PLENTY: PackBounds = { bytes: 1_000_000, values: 1_000_000 };

interface Parts {
  readonly payload?: Json;
  readonly document?: Json;
  readonly evidence?: readonly EvidenceRef[];
  /** How many checkpoints of the log the asker holds. */
  readonly held?: number;
}

/** The pack of a plan with one entry and one document. */
async function packOf(parts: Parts, bounds: Partial<PackBounds>) {
  const log = fakeAuditLog();
  const { uow, home, entries, tree, checkpoints, sink, sequence } = log;
  const held: string[] = [];
  while (held.length < (parts.held ?? 0)) {
    await log.record();
    await sequence.execute(home.tenantId);
    held.push((await log.latest())?.note ?? '');
  }
  const plan = { type: 'plan', id: newId<PlanId>() } as const;
  const { payload = null, document = null, evidence = [] } = parts;
  await log.record({ subject: plan, within: [plan], evidence, payload: { result: payload } });
  const collect = jest.fn((): Promise<readonly EvidenceDocument[]> =>
    Promise.resolve([{ kind: 'attempt', id: newId(), document }]),
  );
  const sources = {
    plan: [{ section: 'run', collect }],
    change_request: [],
    session: [],
    automation_run: [],
    fixed: [],
  };
  const stores = { uow, entries, tree, checkpoints };
  const building = new BuildEvidencePack(
    { ...stores, sink, sequence, sources, reading: (work) => work() },
    { ...PLENTY, ...bounds },
  );
  const command = { subject: plan, actor: actorOf(log.author), held };
  const pack = await building.execute(home.tenantId, command);
  const assembled = await log.recorded('evidence_pack.assembled');
  return {
    text: pack.ok ? pack.value : null,
    fate: {
      answer: pack.ok ? 'a pack' : pack.error.code,
      collected: collect.mock.calls.length,
      assembled: assembled.length,
    },
  };
}

it('is made within the bounds, and on record', async () => {
  const { fate } = await packOf({}, {});
  expect(fate).toEqual({ answer: 'a pack', collected: 1, assembled: 1 });
});

it('is refused before its documents are read, if the payloads alone are beyond the bounds', async () => {
  const { fate } = await packOf({ payload: 'x'.repeat(1_000) }, { bytes: 1_000 });
  expect(fate).toEqual({ answer: 'audit.pack_too_large', collected: 0, assembled: 0 });
});

it.each<[string, Json, Partial<PackBounds>]>([
  ['too much text', 'x'.repeat(100_000), { bytes: 100_000 }],
  ['too much text in keys', { ['x'.repeat(100_000)]: 0 }, { bytes: 100_000 }],
  ['too much text that is escaped', '\u0001'.repeat(17_000), { bytes: 100_000 }],
  ['too much text of more than one byte a character', '\u20ac'.repeat(34_000), { bytes: 100_000 }],
  ['too many values', Array<Json>(10_000).fill(0), { values: 10_000 }],
])('is refused before its assembly is on record, if a document has %s', async (_what, document, bounds) => {
  const { fate } = await packOf({ document }, bounds);
  expect(fate).toEqual({ answer: 'audit.pack_too_large', collected: 1, assembled: 0 });
});

it('is refused before its assembly is on record, if its payloads and documents together are beyond the bounds', async () => {
  const { fate } = await packOf({ payload: 'x'.repeat(60_000), document: 'x'.repeat(60_000) }, { bytes: 100_000 });
  expect(fate).toEqual({ answer: 'audit.pack_too_large', collected: 1, assembled: 0 });
});

const digest = digestOf('plan', 'another');

it.each<[string, Parts]>([
  ['headers', { evidence: Array.from({ length: 300 }, () => ({ kind: 'plan', id: newId(), digest })) }],
  ['proofs from checkpoints', { held: 60 }],
])('is refused before its assembly is on record, if its %s are beyond the bounds', async (_what, parts) => {
  const text = (await packOf(parts, {})).text ?? '';
  const [bytes, values] = [Buffer.byteLength(text), countValues(parseStrictJson(text))];
  for (const bounds of [{ bytes: bytes - 1 }, { values: values - 1 }]) {
    const { fate } = await packOf(parts, bounds);
    expect(fate).toEqual({ answer: 'audit.pack_too_large', collected: 1, assembled: 0 });
  }
});
