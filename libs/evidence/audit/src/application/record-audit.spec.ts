import { canonicalJson } from '#lib/canonical';
import { digestOf, newId, type AuditEvent, type DecisionId } from '#lib/kernel';
import { payloadDigest } from '#lib/verifier';
import { sampleEntry } from './fake-audit-entry.js';
import { fakeAuditLog } from './fake-audit-log.js';

const DIGEST = digestOf('plan', {});
const event = (more: Partial<AuditEvent> = {}): AuditEvent => ({ ...sampleEntry().event, payload: { n: 1 }, ...more });

describe('a recorded action', () => {
  it('has an entry with the salted digest of its payload, and a salt of its own', async () => {
    const log = fakeAuditLog();
    const ids = [
      await log.record({ payload: { b: 1, a: [null] } }),
      await log.record({ payload: { b: 1, a: [null] } }),
    ];
    const salts = await log.uow.run(log.home.tenantId, async (tx) => {
      const payloads = await log.entries.payloads(tx, ids);
      return Promise.all(
        ids.map(async (id) => {
          const { salt = new Uint8Array(), payload = null } = payloads.get(id) ?? {};
          expect(payload).toEqual({ a: [null], b: 1 });
          const entry = await log.entries.find(tx, id);
          expect(Buffer.from(entry?.payloadDigest ?? [])).toEqual(
            Buffer.from(payloadDigest(salt, canonicalJson(payload))),
          );
          return Buffer.from(salt).toString('hex');
        }),
      );
    });
    expect(salts.every((salt) => /^[0-9a-f]{64}$/.test(salt))).toBe(true);
    expect(new Set(salts).size).toBe(2);
  });

  it('has salts that never repeat, over more entries than one draw of salts serves', async () => {
    const log = fakeAuditLog();
    for (let n = 0; n < 300; n += 1) await log.record();
    const salts = log.entries.of(log.home).map(({ payload }) => Buffer.from(payload?.salt ?? []).toString('hex'));
    expect(new Set(salts).size).toBe(300);
  });

  it('T32: has no secret in its payload', async () => {
    const log = fakeAuditLog();
    await log.record({ payload: { arguments: { api_key: 'sekret-value', note: 'Bearer abcdef0123456789' } } });
    expect(await log.recorded('thing.done')).toMatchObject([
      { payload: { arguments: { api_key: '[masked]', note: 'Bearer [masked]' } } },
    ]);
  });

  it('T32: has digests under any name, and takes nothing else for a digest', async () => {
    const log = fakeAuditLog();
    const digests = { binding: { executors: { token: DIGEST }, simulation: null } };
    await log.record({ payload: { token: 'sekret-value' }, digests });
    expect(await log.recorded('thing.done')).toMatchObject([{ payload: { token: '[masked]', ...digests } }]);
    for (const smuggled of ['sekret-value', `${DIGEST}00`, { deeper: 'sekret-value' }]) {
      const refused = log.record({ payload: {}, digests: { binding: smuggled } });
      await expect(refused).rejects.toThrow('Only digests, beside the members of an object');
    }
    await expect(log.record({ payload: ['a list'], digests })).rejects.toThrow('Only digests');
    expect(log.entries.of(log.home)).toHaveLength(1);
  });

  it('names the evidence of the action, and that which was noted for its decision', async () => {
    const own = { kind: 'plan', id: 'p', digest: DIGEST } as const;
    const noted = { kind: 'task', id: 't', digest: digestOf('task', {}) } as const;
    const asked: unknown[] = [];
    const log = fakeAuditLog((_tx, decisionId) => {
      asked.push(decisionId);
      return [noted];
    });
    const decisionId = newId<DecisionId>();
    await log.record({ evidence: [own], decisionId });
    await log.record();
    const entries = await log.recorded('thing.done');
    expect(entries.map(({ evidence }) => evidence)).toEqual([[own, noted], [noted]]);
    expect(asked).toEqual([decisionId, undefined]);
  });

  it('T28: does not happen if it cannot be recorded', async () => {
    const { uow, home, sink, entries } = fakeAuditLog();
    const acting = uow.run(home.tenantId, async (tx) => {
      await sink.record(tx, event());
      await sink.record(tx, event({ payload: { bad: '\ud800' } }));
    });
    await expect(acting).rejects.toThrow('lone surrogate');
    expect(entries.of(home)).toEqual([]);
  });
});
