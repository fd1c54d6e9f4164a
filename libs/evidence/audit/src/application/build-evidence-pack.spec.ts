import type { Json } from '#lib/canonical';
import { actorOf, newId, type PlanId } from '#lib/kernel';
import type { PackBounds } from '../domain/pack-bounds.js';
import { BuildEvidencePack, type EvidenceDocument } from './build-evidence-pack.js';
import { fakeAuditLog } from './fake-audit-log.js';

const PLENTY: PackBounds = { bytes: 1_000_000, values: 1_000_000 };

/** The answer to a request for the pack of a plan with one entry and one document. */
async function packOf(parts: { payload?: Json; document?: Json }, bounds: Partial<PackBounds>) {
  const log = fakeAuditLog();
  const { uow, home, entries, tree, checkpoints, sink, sequence } = log;
  const plan = { type: 'plan', id: newId<PlanId>() } as const;
  await log.record({ subject: plan, within: [plan], payload: { result: parts.payload ?? null } });
  const collect = jest.fn((): Promise<readonly EvidenceDocument[]> =>
    Promise.resolve([{ kind: 'attempt', id: newId(), document: parts.document ?? null }]),
  );
  const sources = {
    plan: [{ section: 'run', collect }],
    change_request: [],
    session: [],
    automation_run: [],
    fixed: [],
  };
  const stores = { unitOfWork: uow, entries, tree, checkpoints };
  const building = new BuildEvidencePack(
    { ...stores, sink, sequence, sources, reading: (work) => work() },
    { ...PLENTY, ...bounds },
  );
  const pack = await building.execute(home.tenantId, { subject: plan, actor: actorOf(log.author) });
  const assembled = await log.recorded('evidence_pack.assembled');
  return {
    answer: pack.ok ? 'a pack' : pack.error.code,
    collected: collect.mock.calls.length,
    assembled: assembled.length,
  };
}

it('is made within the bounds, and on record', async () => {
  expect(await packOf({}, {})).toEqual({ answer: 'a pack', collected: 1, assembled: 1 });
});

it('is refused before its documents are read, if the payloads alone are beyond the bounds', async () => {
  const refused = await packOf({ payload: 'x'.repeat(1_000) }, { bytes: 1_000 });
  expect(refused).toEqual({ answer: 'audit.pack_too_large', collected: 0, assembled: 0 });
});

it.each<[string, Json, Partial<PackBounds>]>([
  ['text', 'x'.repeat(1_001), { bytes: 1_000 }],
  ['values', Array<Json>(1_000).fill(0), { values: 1_000 }],
])('is refused before its assembly is on record, if it has too much %s', async (_what, document, bounds) => {
  const refused = await packOf({ document }, bounds);
  expect(refused).toEqual({ answer: 'audit.pack_too_large', collected: 1, assembled: 0 });
});

it.each([
  ['made', 'x', 'a pack'],
  ['refused', '\u0001', 'audit.pack_too_large'],
])('is %s by the length of its text, escapes and all', async (_what, character, answer) => {
  expect(await packOf({ document: character.repeat(900) }, { bytes: 6_000 })).toMatchObject({ answer });
});
