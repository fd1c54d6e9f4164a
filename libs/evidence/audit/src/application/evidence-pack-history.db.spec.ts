import { Client } from 'pg';
import { canonicalJson } from '#lib/canonical';
import { newId, ok, type AdmittedChange, type PersonPrincipal, type TwoPersonRule } from '#lib/kernel';
import { evidenceStory, person } from '../../../../../test/support/evidence-story.js';

const admitted: AdmittedChange = { authorId: 'admin' as never, actor: person('admin'), provenance: {}, alone: false };
const admitting: TwoPersonRule = {
  outdate: () => Promise.resolve(),
  admit: () => Promise.resolve(ok({ outcome: 'admitted', admitted })),
  waiting: () => Promise.resolve([]),
  demandReason: () => Promise.resolve(),
};

describe('an evidence pack after the log went on, or was changed', () => {
  const story = evidenceStory();
  const { noise, tell, keys, pack, verify, codeOf, note } = story;

  test('old checkpoints and packs stay good after a key rotation, and a pack spans epochs', async () => {
    await tell();
    const before = await pack();
    const { rotateKey, startEpoch } = story.log.guarded(admitting, []);
    const admin = { kind: 'person', tenantId: story.tenant } as PersonPrincipal;
    expect(await rotateKey.execute(admin)).toMatchObject({ ok: true });
    expect(await startEpoch.executeAsOperator(story.tenant, { reason: 'restored', lastPublished: null })).toBe(2);
    const after = await pack();
    expect((await keys()).length).toBe(2);
    expect((await verify(before)).failure).toBeNull();
    const report = await verify(after);
    expect(report.failure).toBeNull();
    expect(report.checkpoints.map(({ origin }) => origin.split('/').at(-1))).toEqual(['1', '2']);
  });

  describe('against a checkpoint that was kept outside', () => {
    test('the same, a smaller one the asker named, and a larger one with its proof', async () => {
      await tell();
      await story.log.sequence.execute(story.tenant);
      const earlier = await note();
      const smaller = await pack([earlier]);
      expect(await codeOf(smaller, { note: earlier })).toBeUndefined();
      expect(await codeOf(smaller, { note: await note() })).toBeUndefined();
      const size = Number((await note()).split('\n')[1]);
      await noise(5);
      await story.log.sequence.execute(story.tenant);
      const later = await note();
      expect((await verify(smaller, { note: later })).failure).toMatchObject({
        code: 'external_checkpoint.no_proof',
        message: expect.stringContaining(
          `countersign evidence ${story.planId} --output FILE --held CHECKPOINT`,
        ) as string,
      });
      const proof = await story.log.consistencyProof.execute(story.tenant, { epoch: 1, first: size });
      if (!proof.ok) throw new Error(proof.error.code);
      const hashes = proof.value.proof.map((hash) => Buffer.from(hash).toString('hex'));
      expect(await codeOf(smaller, { note: later, proof: hashes })).toBeUndefined();
      expect(await codeOf(smaller, { note: later, proof: hashes.slice(1) })).toBe('external_checkpoint.fork');
      expect(await codeOf(smaller, { note: 'nonsense' })).toBe('external_checkpoint.format');
      expect(await codeOf(smaller, { note: later.replace(/\n(\d+)\n/, '\n1$1\n') })).toBe(
        'external_checkpoint.signature',
      );
      const broken = JSON.parse(smaller) as { consistency: { proof: string[] }[] };
      broken.consistency[0]?.proof.pop();
      expect(await codeOf(canonicalJson(broken))).toBe('consistency.proof');
    });

    test('checkpoints of others are refused when asking', async () => {
      await tell();
      await story.log.sequence.execute(story.tenant);
      const mine = await note();
      await expect(pack([mine.replace(story.tenant, newId())])).rejects.toThrow('audit.foreign_checkpoint');
      await expect(pack([mine.replace(/\n(\d+)\n/, '\n9$1\n')])).rejects.toThrow('audit.checkpoint_ahead');
    });
  });

  describe('T30: the owner of the database rewrites history', () => {
    /** As the superuser, past every trigger. */
    async function tamper(...statements: readonly string[]): Promise<void> {
      const admin = new Client({ connectionString: story.db.adminUrl });
      await admin.connect();
      try {
        await admin.query('set session_replication_role = replica');
        for (const statement of statements)
          await admin.query(statement, statement.includes('$1') ? [story.tenant] : []);
      } finally {
        await admin.end();
      }
    }
    /** Deletes the tree and queues the rest of the story.log, so that the real sequencer signs the false history. */
    const replay = [
      ...['audit_publication', 'audit_checkpoint', 'audit_leaf', 'audit_node'].map(
        (table) => `delete from ${table} where tenant_id = $1`,
      ),
      'delete from audit_pending where tenant_id = $1',
      'insert into audit_pending select tenant_id, entry_number, id from audit_entry where tenant_id = $1',
    ];
    let outside: string;

    beforeEach(async () => {
      await tell();
      await story.log.sequence.execute(story.tenant);
      outside = await note();
    });

    test.each([
      [
        'edits an entry',
        `update audit_entry set actor = jsonb_set(actor, '{id}', '"somebody"') where tenant_id = $1 and action = 'review.submitted'`,
      ],
      [
        'reorders entries',
        `update audit_entry e set occurred_at = e.occurred_at - interval '1 day' where tenant_id = $1 and action = 'approval_request.approved'`,
      ],
      [
        'swaps two leaves',
        `update audit_leaf l set entry_id = o.entry_id from audit_leaf o where l.tenant_id = $1 and o.tenant_id = $1 and (l.leaf_index, o.leaf_index) in ((1, 2), (2, 1))`,
      ],
    ])('%s: no pack verifies any more', async (_what, statement) => {
      await tamper(`alter table audit_leaf drop constraint if exists audit_leaf_entry_key`, statement);
      expect(await codeOf(await pack())).toBe('entry.inclusion');
    });

    test('edits a payload', async () => {
      await tamper(`update audit_entry set payload = replace(payload, '"reject"', '"approve"') where tenant_id = $1`);
      expect(await codeOf(await pack())).toBe('entry.payload');
    });

    test('deletes an entry with its leaf', async () => {
      await tamper(
        `delete from audit_leaf l using audit_entry e where l.tenant_id = $1 and e.id = l.entry_id and e.action = 'review.submitted'`,
        `delete from audit_entry where tenant_id = $1 and action = 'review.submitted'`,
      );
      expect(await pack().then((text) => codeOf(text), String)).toMatch(
        /^(story\.quorum|Error: The audit tree of epoch 1 has lost nodes)/,
      );
    });

    test.each([
      [
        'edits',
        `update audit_entry set actor = jsonb_set(actor, '{display_name}', '"somebody"') where tenant_id = $1 and action = 'thing.done'`,
      ],
      ['deletes', `delete from audit_entry where tenant_id = $1 and action = 'thing.done' and subject_id = '0'`],
      [
        'reorders',
        `update audit_entry e set entry_number = -e.entry_number where tenant_id = $1 and action = 'thing.done'`,
      ],
      [
        'truncates',
        `delete from audit_entry where tenant_id = $1 and action = 'thing.done' and entry_number > (select min(entry_number) + 6 from audit_entry where tenant_id = $1)`,
      ],
    ])(
      '%s, and has it all signed again: only a checkpoint held outside tells, and it does',
      async (_what, statement) => {
        await tamper('alter table audit_entry alter column entry_number drop identity if exists', statement, ...replay);
        await tamper(
          `alter table audit_entry alter column entry_number add generated always as identity (start 100000000)`,
        ).catch(() => undefined);
        await story.log.sequence.execute(story.tenant);
        await noise(9);
        const rewritten = await pack();
        expect(await codeOf(rewritten)).toBeUndefined();
        expect(await codeOf(rewritten, { note: outside })).toMatch(/^external_checkpoint\.(no_proof|fork)$/);
        const held = await pack([outside]);
        expect(await codeOf(held, { note: outside })).toMatch(/^external_checkpoint\.(no_proof|fork)$/);
      },
    );

    test('restores an old backup, and goes on as if nothing had been', async () => {
      await noise(6);
      await story.log.sequence.execute(story.tenant);
      const published = await note();
      await tamper(
        `delete from audit_leaf where tenant_id = $1 and leaf_index >= (select min(tree_size) from audit_checkpoint where tenant_id = $1)`,
        `delete from audit_node n where tenant_id = $1 and (node_index + 1) * (2 ^ level) > (select min(tree_size) from audit_checkpoint where tenant_id = $1)`,
        `delete from audit_entry e where tenant_id = $1 and not exists (select from audit_leaf l where l.tenant_id = e.tenant_id and l.entry_id = e.id)`,
        `delete from audit_checkpoint c where tenant_id = $1 and tree_size > (select min(tree_size) from audit_checkpoint where tenant_id = $1)`,
      );
      const restored = await pack();
      expect(await codeOf(restored)).toBeUndefined();
      expect(await codeOf(restored, { note: published })).toBe('external_checkpoint.no_proof');
      await expect(pack([published])).rejects.toThrow('audit.checkpoint_ahead');
      await noise(40);
      const grown = await pack([published]);
      expect(await codeOf(grown, { note: published })).toMatch(/^external_checkpoint\.(no_proof|fork)$/);
    });
  });
});
