import fc from 'fast-check';
import { canonicalJson, type Json, type JsonObject } from '#lib/canonical';
import { digestOf, newId, type AuditEvent, type Digest } from '#lib/kernel';
import { verifyPack } from '#lib/verifier';
import { someOf, timesInputs } from '../../../../../test/arbitraries/times-inputs.js';
import {
  agent,
  argumentsOf,
  evidenceStory,
  executor,
  person,
  replay,
  type Story,
} from '../../../../../test/support/evidence-story.js';
import { everyChange } from '../../../../foundation/verifier/src/fake-pack.js';

/** A deny that no policy gave, so that there is nothing to take again. */
const UNANSWERED = {
  outcome: 'deny',
  reasons: [{ code: 'policy.evaluation_failed', message: 'm', rule: 'countersign.fail_closed' }],
};

describe('evidence pack', () => {
  const story = evidenceStory();
  const { record, noise, tell, keys, pack, verify, codeOf, note } = story;

  test('is checked from the trusted key to the people who approved', async () => {
    story.documents.push({ kind: 'tool', id: 'patch@1', document: { name: 'patch', version: 1 } });
    await tell();
    const text = await pack();
    const report = await verify(text);
    const subject = { type: 'plan', id: story.planId };
    expect(report).toMatchObject({
      failure: null,
      outcome: 'verified',
      tenantId: story.tenant,
      subject,
      notThere: [],
      notMade: [],
    });
    expect(report.passed.slice(-2)).toEqual([
      'Approved by 2 distinct people, none of whom asked for it: exactly this plan.',
      'Each of 1 calls that were sent stands in the plan, with the same arguments.',
    ]);
    expect(report.documents.map(({ kind, action }) => [kind, action])).toEqual([
      ['plan', 'plan.validated'],
      ['task', 'task.created'],
      ['tool', 'evidence_pack.assembled'],
    ]);
    // The entries of this plan and its task, and none of the others.
    expect(report.entries).toHaveLength(10);
  });

  test('a plan that does not exist has no evidence', async () => {
    await expect(pack()).rejects.toThrow('resource.not_found');
  });

  test('any value changed, dropped or added inside the JSON breaks verification', async () => {
    await tell();
    const text = await pack();
    const trustedKeys = await keys();
    let changes = 0;
    for (const [index, changed] of someOf(everyChange(JSON.parse(text) as Json))) {
      changes += 1;
      const { outcome } = await verifyPack(Buffer.from(canonicalJson(changed)), { trustedKeys, replay });
      expect({ index, outcome }).toEqual({ index, outcome: 'refused' });
    }
    expect(changes).toBeGreaterThan(timesInputs(125));
  });

  test('one flipped bit in its bytes breaks verification', async () => {
    await tell();
    const bytes = Buffer.from(await pack());
    const trustedKeys = await keys();
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), async (position, bit) => {
        const flipped = Uint8Array.from(bytes, (byte, index) => (index === position ? byte ^ (1 << bit) : byte));
        expect((await verifyPack(flipped, { trustedKeys, replay })).outcome).toBe('refused');
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  describe('names the first thing that fails', () => {
    /** As much of a pack as the cases below take apart. */
    interface Loose {
      keys?: string[];
      format: string;
      tenant_id: string;
      subject: { type: string; id: string };
      checkpoints: { note: string }[];
      entries: { header: { id: string; action: string }; facts: { payload: { excluded?: unknown } } | null }[];
      documents: { document: { phases?: unknown } }[];
    }
    const edit = (text: string, change: (pack: Loose) => void): string => {
      const value = JSON.parse(text) as Loose;
      change(value);
      return canonicalJson(value as unknown as Json);
    };
    const only = <Item>(list: readonly Item[], index = 0): Item => {
      const item = list[index];
      if (item === undefined) throw new Error('the pack is shorter than that');
      return item;
    };

    test.each<[string, (text: string) => string]>([
      ['pack.not_json', (text) => text.slice(0, -1)],
      ['pack.duplicate_key', (text) => text.replace('{', '{"checkpoints":[],')],
      ['pack.not_canonical', (text) => `${text}\n`],
      ['pack.format', (text) => edit(text, (pack) => void (pack.keys = ['its own']))],
      ['pack.format', (text) => edit(text, (pack) => void (pack.format = 'countersign.evidence/v1'))],
      ['checkpoint.format', (text) => edit(text, (pack) => void (only(pack.checkpoints).note += '— other AAAAAAAA\n'))],
      [
        'checkpoint.signature',
        (text) =>
          edit(
            text,
            ({ checkpoints }) => void (only(checkpoints).note = only(checkpoints).note.replace(/\n(\d+)\n/, '\n9$1\n')),
          ),
      ],
      ['checkpoint.other_log', (text) => edit(text, (pack) => void (pack.tenant_id = 'someone-else'))],
      ['checkpoint.missing', (text) => edit(text, (pack) => void (pack.checkpoints = []))],
      ['entry.order', (text) => edit(text, ({ entries }) => void entries.push(only(entries)))],
      ['entry.inclusion', (text) => edit(text, ({ entries }) => void (only(entries).header.action = 'task.deleted'))],
      [
        'entry.payload',
        (text) =>
          edit(text, ({ entries }) => void Object.assign(only(entries, 2).facts?.payload ?? {}, { excluded: [] })),
      ],
      ['document.not_covered', (text) => edit(text, ({ documents }) => void (only(documents).document.phases = []))],
      ['document.order', (text) => edit(text, ({ documents }) => void documents.reverse())],
      ['document.missing', (text) => edit(text, ({ documents }) => void documents.shift())],
      ['entry.missing', (text) => edit(text, ({ entries }) => void entries.splice(3, 1))],
      ['pack.not_assembled', (text) => edit(text, ({ entries }) => void entries.pop())],
      ['pack.not_assembled', (text) => edit(text, (pack) => void (pack.subject.id = newId()))],
    ])('%s', async (code, change) => {
      await tell();
      expect(await codeOf(change(await pack()))).toBe(code);
    });

    test('pack.not_text', async () => {
      const report = await verifyPack(Uint8Array.of(0xff, 0xfe), { trustedKeys: await keys(), replay });
      expect(report.failure?.code).toBe('pack.not_text');
    });

    test('checkpoint.key_not_trusted: a key of the pack itself is not trusted', async () => {
      await tell();
      const text = await pack();
      const mine = await keys();
      const other = { name: mine[0]?.name ?? '', publicKey: new Uint8Array(32).fill(7) };
      for (const trustedKeys of [[], [other]]) {
        const { failure } = await verifyPack(Buffer.from(text), { trustedKeys, replay });
        expect(failure?.code).toBe('checkpoint.key_not_trusted');
      }
    });

    test.each<[string, string, Partial<Story>]>([
      [
        'story.quorum',
        'one person twice',
        {
          reviews: [
            [person('ada'), 'approve', ['SRELead']],
            [person('ada'), 'approve', ['SRELead']],
          ],
        },
      ],
      [
        'story.quorum',
        'nobody with the role',
        {
          reviews: [
            [person('ada'), 'approve', []],
            [person('bob'), 'approve', ['DevOpsEngineer']],
          ],
        },
      ],
      [
        'story.quorum',
        'one of them took it back',
        {
          reviews: [
            [person('ada'), 'approve', ['SRELead']],
            [person('bob'), 'approve', []],
            [person('bob'), 'reject', []],
          ],
        },
      ],
      [
        'story.quorum',
        'the agent’s owner',
        {
          reviews: [
            [person('ada'), 'approve', ['SRELead']],
            [person('carl'), 'approve', []],
          ],
        },
      ],
      [
        'story.quorum',
        'whom the agent acts for',
        {
          reviews: [
            [person('ada'), 'approve', ['SRELead']],
            [person('olga'), 'approve', []],
          ],
        },
      ],
      [
        'story.quorum',
        'an agent',
        {
          reviews: [
            [person('ada'), 'approve', ['SRELead']],
            [{ ...agent, id: 'agent-2' }, 'approve', []],
          ],
        },
      ],
      [
        'story.approval_digest',
        'a review of another plan',
        {
          reviews: [
            [person('ada'), 'approve', ['SRELead'], argumentsOf('x')],
            [person('bob'), 'approve', []],
          ],
        },
      ],
      ['story.approval_digest', 'an approval of another plan', { bound: { plan: argumentsOf('x') } }],
      ['story.executed_digest', 'swapped arguments', { sent: [argumentsOf('web-01'), argumentsOf('db-01')] }],
      ['story.run_without_approval', 'one approval, two runs', { consumed: 2 }],
    ])('%s: %s', async (code, _why, story) => {
      await tell(story);
      expect(await codeOf(await pack())).toBe(code);
    });

    /** A run that was made, started and completed, with the document that its end fixed. */
    async function ran(actions = ['run.created', 'run.started', 'run.completed']): Promise<void> {
      const runId = newId();
      const run = { id: runId, state: 'completed' };
      story.documents.push({ kind: 'run', id: runId, document: run });
      await record(
        ...actions.map((action): AuditEvent => {
          const ended = action === 'run.completed';
          return {
            action,
            actor: executor,
            level: 'full',
            subject: { type: 'run', id: runId },
            within: [
              { type: 'plan', id: story.planId },
              { type: 'run', id: runId },
            ],
            ...(ended ? { evidence: [{ kind: 'run', id: runId, digest: digestOf('run', run) }] } : {}),
            payload: {},
          };
        }),
      );
    }
    const noiseOfPlan = async (): Promise<void> => {
      for (let n = 0; n < 20; n += 1)
        await record({
          action: 'thing.done',
          actor: executor,
          level: 'basic',
          subject: { type: 'thing', id: String(n) },
          within: [{ type: 'plan', id: story.planId }],
          payload: { n },
        });
    };
    const erase = (text: string, which: (action: string, index: number) => boolean): string =>
      edit(text, ({ entries }) => {
        entries.forEach((entry, index) => {
          if (which(entry.header.action, index)) entry.facts = null;
        });
      });
    /** Erases for good, as the retention rule does. */
    const gone = async (which: (action: string) => boolean): Promise<void> => {
      const { rows } = await story.db.owner.query<{ id: string; action: string }>(
        'select id, action from audit_entry where tenant_id = $1',
        [story.tenant],
      );
      const ids = rows.filter(({ action }) => which(action)).map(({ id }) => id);
      await story.db.owner.query(
        'update audit_entry set salt = null, payload = null where tenant_id = $1 and id = any ($2)',
        [story.tenant, ids],
      );
    };
    const without = (text: string, index: number): string => edit(text, ({ entries }) => void entries.splice(index, 1));
    const actionsOf = (text: string): string[] =>
      (JSON.parse(text) as Loose).entries.map(({ header }) => header.action);

    test('entry.missing: each entry that is left out', async () => {
      await tell();
      await ran();
      const text = await pack();
      expect((await verify(text)).failure).toBeNull();
      const last = actionsOf(text).length - 1;
      expect(last).toBeGreaterThan(10);
      for (let index = 0; index < last; index += 1) expect(await codeOf(without(text, index))).toBe('entry.missing');
      expect(await codeOf(without(text, last))).toBe('pack.not_assembled');
    });

    test('pack.assembly_erased: an erased assembly hides no missing entry', async () => {
      await tell();
      await ran();
      const whole = await pack();
      const last = actionsOf(whole).length - 1;
      const text = erase(whole, (_action, index) => index === last);
      expect((await verify(text)).failure).toMatchObject({
        code: 'pack.assembly_erased',
        message: expect.stringContaining(`countersign evidence ${story.planId} --output FILE`) as string,
        pointer: `/entries/${String(last)}/facts`,
      });
      for (let index = 0; index < last; index += 1)
        expect(await codeOf(without(text, index))).toBe('pack.assembly_erased');
      expect(await codeOf(without(text, last))).toBe('pack.not_assembled');
      const everything = erase(whole, () => true);
      expect(await codeOf(everything)).toBe('pack.assembly_erased');
      const others = erase(whole, (_action, index) => index !== last);
      expect(await codeOf(others)).toBe('entry.payload_missing');
      for (let index = 0; index < last; index += 1) expect(await codeOf(without(others, index))).toBe('entry.missing');
    });

    test('entry.after_assembly: an earlier assembly does not cover later entries', async () => {
      await tell();
      const first = await pack();
      const index = actionsOf(first).length - 1;
      await ran();
      const text = await pack();
      const last = actionsOf(text).length - 1;
      expect(actionsOf(text).filter((action) => action === 'evidence_pack.assembled')).toHaveLength(2);
      expect((await verify(text)).failure).toBeNull();
      expect(await codeOf(without(text, last))).toBe('entry.after_assembly');
      expect(await codeOf(without(text, index))).toBe('entry.missing');
      expect(await codeOf(erase(text, (_action, at) => at === last))).toBe('pack.assembly_erased');
      expect(await codeOf(erase(text, (_action, at) => at === index))).toBe('entry.payload_missing');
    });

    test('an older pack is true, and says how old it is', async () => {
      await tell();
      const first = await pack();
      const size = Number((await note()).split('\n')[1]);
      await ran();
      await noise(2);
      const { assembled: later } = await verify(await pack());
      const { assembled, passed } = await verify(first);
      expect(assembled).toMatchObject({ epoch: 1, leafIndex: size - 1, treeSize: size });
      expect(later?.treeSize).toBeGreaterThan(size);
      expect(passed).toContain(
        `Assembled ${assembled?.occurredAt ?? ''}, as entry ${String(size)} of a log of ${String(size)} (epoch 1): of what came later, this pack says nothing.`,
      );
    });

    test('entries recorded during an assembly belong to the next pack', async () => {
      await tell();
      const [texts] = await Promise.all([Promise.all([pack(), pack(), pack()]), noiseOfPlan(), noiseOfPlan()]);
      for (const text of texts) {
        expect((await verify(text)).failure).toBeNull();
        expect(actionsOf(text).at(-1)).toBe('evidence_pack.assembled');
      }
    });

    test('story.run_not_created: a run without an entry of its creation', async () => {
      await tell();
      await ran(['run.started', 'run.completed']);
      expect(await codeOf(await pack())).toBe('story.run_not_created');
      await gone((action) => action.startsWith('run.'));
      expect(await codeOf(await pack())).toBe('story.run_not_created');
    });

    test('story.run_without_approval: the use of an approval that was not given, with or without facts', async () => {
      await tell();
      const consumed = {
        action: 'approval_request.consumed',
        actor: executor,
        level: 'full',
        within: [{ type: 'plan', id: story.planId }],
        payload: {},
      } as const;
      // Facts go by age: the approval may have lost them when its use has not yet.
      await gone((action) => action === 'approval_request.approved');
      expect((await verify(await pack())).outcome).toBe('incomplete');
      await record({ ...consumed, subject: { type: 'approval_request', id: newId() } });
      expect(await codeOf(await pack())).toBe('story.run_without_approval');
      await gone((action) => action === 'approval_request.consumed');
      expect(await codeOf(await pack())).toBe('story.run_without_approval');
    });

    test('story.plan_missing', async () => {
      await tell();
      story.documents = story.documents.filter(({ kind }) => kind !== 'plan');
      expect(await codeOf(await pack())).toBe('story.plan_missing');
    });

    test('document.not_fixed_by_action: the server cannot put another plan under the assembly', async () => {
      await tell();
      story.documents.push({ kind: 'simulation', id: 's-1', document: { affected_assets: 1 } });
      expect(await codeOf(await pack())).toBe('document.not_fixed_by_action');
    });

    test('document.decision_input: a decision keeps the input it was taken from, masked or not', async () => {
      await tell();
      const input = { plan: 'p' };
      const masked = { plan: '[masked]' };
      const digest = (document: Json): Digest => digestOf('policy-input', document);
      const decision = (id: string, digests: JsonObject, held: Json | null): void => {
        story.documents = story.documents.filter(({ id: other }) => other !== id);
        story.documents.push({ kind: 'decision', id, document: { ...digests, result: UNANSWERED } });
        if (held !== null) story.documents.push({ kind: 'policy-input', id, document: held });
      };
      decision('d-1', { input_digest: digest(input) }, input);
      decision('d-2', { input_digest: digest(input), masked_input_digest: digest(masked) }, masked);
      expect(await codeOf(await pack())).toBeUndefined();
      for (const [document, held] of [
        [{ input_digest: digest(input) }, { plan: 'another' }],
        // That something is masked in it excuses nothing that the decision does not say itself.
        [{ input_digest: digest(input) }, masked],
        [
          { input_digest: digest(input), masked_input_digest: digest(masked) },
          { plan: '[masked]', more: true },
        ],
        [{ input_digest: digest(input), masked_input_digest: digest(masked) }, input],
        [{ input_digest: digest(masked), masked_input_digest: digest(input) }, input],
        [{ input_digest: digest(input) }, null],
      ] as const) {
        decision('d-2', document, held);
        expect(await codeOf(await pack())).toBe('document.decision_input');
      }
    });

    test('document.not_fixed_by_action: a document fixed by an action cannot be changed', async () => {
      const decided = { input_digest: digestOf('policy-input', null), decided_at: 1, result: UNANSWERED };
      await record({
        action: 'thing.decided',
        actor: executor,
        level: 'full',
        subject: { type: 'plan', id: story.planId },
        within: [{ type: 'plan', id: story.planId }],
        evidence: [{ kind: 'decision', id: 'd-1', digest: digestOf('decision', decided) }],
        payload: {},
      });
      await tell();
      story.documents.push(
        { kind: 'decision', id: 'd-1', document: decided },
        { kind: 'policy-input', id: 'd-1', document: null },
      );
      expect(await codeOf(await pack())).toBeUndefined();
      story.documents.push({ kind: 'decision', id: 'd-1', document: { ...decided, decided_at: 2 } });
      expect(await codeOf(await pack())).toBe('document.not_fixed_by_action');
    });

    test('document.policy_revision', async () => {
      await tell();
      const sources = { 'plan.rego': 'package plan' };
      story.documents.push({ kind: 'policy', id: digestOf('policy', sources), document: sources });
      expect(await codeOf(await pack())).toBeUndefined();
      story.documents.push({ kind: 'policy', id: digestOf('policy', { other: 'x' }), document: sources });
      expect(await codeOf(await pack())).toBe('document.policy_revision');
    });
  });

  test('erased payloads leave every proof standing', async () => {
    await tell();
    await story.db.owner.query('update audit_entry set salt = null, payload = null where tenant_id = $1', [
      story.tenant,
    ]);
    const report = await verify(await pack());
    expect(report).toMatchObject({ outcome: 'incomplete', failure: null });
    expect(report.notThere).toHaveLength(9);
    expect([...new Set(report.notMade.map(({ check }) => check))].sort()).toEqual([
      'story.approval_digest',
      'story.executed_digest',
      'story.quorum',
      'story.run_without_approval',
    ]);
    expect(report.documents).toHaveLength(2);
  });

  test('a missing review may have replaced a present one, so the quorum is not confirmed', async () => {
    await tell();
    const reviews = await story.db.owner.query<{ id: string }>(
      `select id from audit_entry where tenant_id = $1 and action = 'review.submitted' order by entry_number`,
      [story.tenant],
    );
    await story.db.owner.query('update audit_entry set salt = null, payload = null where tenant_id = $1 and id = $2', [
      story.tenant,
      reviews.rows.at(-1)?.id,
    ]);
    const report = await verify(await pack());
    expect(report).toMatchObject({ outcome: 'incomplete', failure: null });
    expect(report.passed.join('\n')).not.toContain('Approved by');
    expect(report.notMade).toContainEqual(expect.objectContaining({ check: 'story.quorum' }));
  });
});
