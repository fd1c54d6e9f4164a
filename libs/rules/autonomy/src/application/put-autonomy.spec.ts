import { createHash } from 'node:crypto';
import { MAX_AUTONOMY_BYTES } from '#lib/formats';
import type { Principal, ProposedChange } from '#lib/kernel';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { FakeAutonomyWorld, TWO_LEADS } from './fake-autonomy-world.js';

const CANARY = TWO_LEADS.replace('full_auto', 'canary_only');
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

let world: FakeAutonomyWorld;
beforeEach(async () => {
  world = await FakeAutonomyWorld.open();
});

/** Puts a document that nothing may keep out. */
const put = async (source: string) => {
  const result = await world.put(source);
  if (!result.ok || result.value.outcome !== 'done') throw new Error(JSON.stringify(result));
  return result.value.value;
};

describe('an autonomy document that is put', () => {
  it('comes into force as the next revision, byte for byte', async () => {
    const odd = `\ufeff# für später\r\n${TWO_LEADS}`;
    const { changed, revision } = await put(odd);
    expect(changed).toBe(true);
    expect(await world.inForce()).toMatchObject({
      ...revision,
      number: 1,
      source: odd,
      sourceSha256: sha256(odd),
      document: { autonomy: { environments: { production: { mode: 'full_auto' } } } },
      createdAt: world.uow.now,
      createdBy: world.admin.personId,
    });
    await put(CANARY);
    expect(await world.inForce()).toMatchObject({ number: 2, source: CANARY });
  });

  it('is on record with its author, its diff and the cells that it changes', async () => {
    await put(TWO_LEADS);
    const { revision, cells, diff } = await put(CANARY);
    expect(cells).toMatchObject([
      {
        change: 'tightens',
        what: ['phases: all becomes canary'],
        after: { tool: { name: 'rollout' }, environment: { name: 'production' } },
      },
    ]);
    expect(diff).toContain('-      mode: full_auto\n+      mode: canary_only');
    expect(world.audited.at(-1)).toMatchObject({
      action: 'autonomy.changed',
      actor: { kind: 'person', id: world.admin.personId },
      level: 'full',
      subject: { type: 'autonomy_revision', id: revision?.revisionId },
      payload: {
        from: 1,
        to: 2,
        digest: revision?.digest,
        diff,
        cells: [
          { tool: 'rollout', environment: 'production', change: 'tightens', what: ['phases: all becomes canary'] },
        ],
      },
    });
  });

  it('makes no revision if the same bytes are in force', async () => {
    await put(TWO_LEADS);
    const again = await put(TWO_LEADS);
    expect(again).toMatchObject({ changed: false, revision: { number: 1 }, diff: '', cells: [], loosens: [] });
    expect(await world.inForce()).toMatchObject({ number: 1 });
    expect(world.audited).toHaveLength(1);
    expect(await put(`${TWO_LEADS}\n`)).toMatchObject({ changed: true, revision: { number: 2 }, cells: [] });
  });

  it('is only shown in a dry run: the changed cells, the loosening and the diff', async () => {
    await put(CANARY);
    world.rule.secondAdmin = true;
    const asked: unknown[] = [];
    const options = { dryRun: true, requireCurrent: (sha: string | null) => asked.push(sha) };
    const shown = await world.put(TWO_LEADS, world.admin, options);
    expect(shown).toMatchObject({
      ok: true,
      value: {
        outcome: 'done',
        value: {
          changed: true,
          revision: { number: 1, source: CANARY },
          cells: [{ change: 'loosens', what: ['phases: canary becomes all'] }],
          loosens: ['production, rollout: phases: canary becomes all'],
        },
      },
    });
    expect(asked).toEqual([]);
    expect(await world.inForce()).toMatchObject({ number: 1, source: CANARY });
    expect(world.rule.waitingIn(world.tenant)).toEqual([]);
    expect(world.audited).toHaveLength(1);
  });

  it('replaces only the revision that its author has read', async () => {
    const seen: (string | null)[] = [];
    const requireCurrent = (sha: string | null): void => {
      seen.push(sha);
      if (sha !== null) throw new Error('another revision is in force');
    };
    await world.put(TWO_LEADS, world.admin, { requireCurrent });
    await expect(world.put(CANARY, world.admin, { requireCurrent })).rejects.toThrow('another revision is in force');
    expect(seen).toEqual([null, sha256(TWO_LEADS)]);
    expect(await world.inForce()).toMatchObject({ number: 1, source: TWO_LEADS });
  });

  it('counts on from the other, if two are put at the same moment', async () => {
    const results = await Promise.all([TWO_LEADS, CANARY].map((source) => world.put(source)));
    expect(results).toMatchObject([
      { value: { value: { revision: { number: 1 } } } },
      { value: { value: { revision: { number: 2 } } } },
    ]);
  });
});

describe('an autonomy document is refused', () => {
  it.each<[string, (world: FakeAutonomyWorld) => Principal, string]>([
    ['an agent', ({ tenant }) => tenant.agent, 'credential.person_required'],
    ['a credential without the scope', ({ tenant }) => tenant.admin, 'credential.scope_missing'],
    [
      'a person without the role',
      ({ tenant }) => ({ ...samplePerson(tenant.tenantId, ['SRELead']), scopes: ['admin'] }),
      'identity.role_required',
    ],
  ])('from %s, before it is read', async (_who, by, code) => {
    for (const source of [TWO_LEADS, 'autonomy: ['])
      expect(await world.put(source, by(world))).toMatchObject({ ok: false, error: { kind: 'forbidden', code } });
    expect(await world.inForce()).toBeNull();
    expect(world.audited).toEqual([]);
  });

  const block = (lines: string): string => TWO_LEADS + lines;
  const unfillable = TWO_LEADS.replace(
    'require_two_approvers: true',
    'quorum: [{ count: 3, roles: [SRELead, PlatformAdmin] }]',
  );
  it.each<[string, string, string, string, number]>([
    ['is no YAML', 'autonomy:\n\tmode: plan_only\n', 'autonomy.unreadable', 'yaml.tab', 2],
    ['would open the gate', TWO_LEADS.replace('[SRELead]', '[]'), 'autonomy.invalid', 'autonomy.opens_the_gate', 6],
    [
      'names an environment that is not there',
      TWO_LEADS.replace('    production:', '    prodution:'),
      'autonomy.invalid',
      'autonomy.unknown_environment',
      4,
    ],
    [
      'names a tool that is not there',
      block('  tool_overrides:\n    rolout: { mode: plan_only }\n'),
      'autonomy.invalid',
      'autonomy.unknown_tool',
      9,
    ],
    [
      'names a role that nobody ever held',
      TWO_LEADS.replace('[SRELead]', '[SRELeed]'),
      'autonomy.invalid',
      'autonomy.unknown_role',
      6,
    ],
    ['has a quorum that can never be filled', unfillable, 'autonomy.invalid', 'autonomy.unfillable_quorum', 7],
    [
      'has a freeze that never ends',
      block('freezes:\n  - name: always\n    time_zone: Europe/Vienna\n    from: 2026-12-24T18:00\n'),
      'autonomy.invalid',
      'autonomy.endless_freeze',
      9,
    ],
  ])('if it %s, with the line, and the one in force stays', async (_what, source, code, error, line) => {
    await put(CANARY);
    expect(await world.put(source)).toMatchObject({
      ok: false,
      error: { code, errors: [{ code: error, line, column: expect.any(Number) as number }] },
    });
    expect(await world.inForce()).toMatchObject({ number: 1, source: CANARY });
    expect(world.audited).toHaveLength(1);
    expect(await world.put(source, world.admin, { dryRun: true })).toMatchObject({ ok: false, error: { code } });
  });

  it('if it is too large', async () => {
    const source = `${TWO_LEADS}# ${'x'.repeat(MAX_AUTONOMY_BYTES)}`;
    expect(await world.put(source)).toMatchObject({ error: { kind: 'too_large', code: 'autonomy.too_large' } });
  });
});

describe('an autonomy document that loosens', () => {
  beforeEach(async () => {
    await put(CANARY);
    world.rule.secondAdmin = true;
  });
  const authored = (): typeof world.admin => ({ ...world.admin, reason: 'The canaries went well.' });
  /** The change request. */
  const waiting = async (): Promise<ProposedChange> => {
    expect(await world.put(TWO_LEADS, authored())).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    const [change] = world.rule.waitingIn(world.tenant);
    if (change === undefined) throw new Error('no change waits');
    return change;
  };
  const confirmed = (change: ProposedChange) => sampleConfirmation(change, world.admin, world.other);

  it('waits for a second person as a whole, with all that they confirm', async () => {
    expect(await waiting()).toMatchObject({
      kind: 'autonomy',
      subject: { type: 'autonomy', id: 'document' },
      payload: { source: TWO_LEADS },
      base: { source_sha256: sha256(CANARY) },
      loosens: ['production, rollout: phases: canary becomes all'],
      detail: {
        diff: expect.stringContaining('+      mode: full_auto') as string,
        cells: [{ tool: 'rollout', environment: 'production', change: 'loosens' }],
        cells_changed: 1,
      },
    });
    expect(await world.inForce()).toMatchObject({ number: 1, source: CANARY });
    expect(world.audited).toHaveLength(1);
  });

  it('comes into force as its author’s, once it is confirmed', async () => {
    const change = await waiting();
    const carried = await world.inTx((tx) =>
      world.putting.carryOut(tx, confirmed(change), world.putting.payload.parse(change.payload)),
    );
    expect(carried).toMatchObject({ ok: true, value: { outcome: 'done', alone: false } });
    const inForce = await world.inForce();
    expect(inForce).toMatchObject({ number: 2, source: TWO_LEADS, createdBy: world.admin.personId });
    expect(world.audited.at(-1)).toMatchObject({
      action: 'autonomy.changed',
      actor: { kind: 'person', id: world.other.personId },
      subject: { id: inForce?.revisionId },
      payload: { from: 1, to: 2, requested_by: world.admin.personId },
    });
  });

  it('does not come into force over another revision than it was confirmed against', async () => {
    const change = await waiting();
    const authority = confirmed(change);
    await put(CANARY.replace('require_two_approvers: true', 'quorum: [{ count: 2, roles: [SRELead] }]'));
    expect(await world.inTx((tx) => world.putting.carryOut(tx, authority, { source: TWO_LEADS }))).toMatchObject({
      ok: false,
      error: { code: 'change.base_changed' },
    });
    expect(await world.inForce()).toMatchObject({ number: 2 });
  });

  it('does not come into force if it names things that are gone meanwhile', async () => {
    const change = await waiting();
    world.environments = [world.tenant.staging];
    expect(
      await world.inTx((tx) => world.putting.carryOut(tx, confirmed(change), { source: TWO_LEADS })),
    ).toMatchObject({
      ok: false,
      error: { code: 'autonomy.invalid', errors: [{ code: 'autonomy.unknown_environment' }] },
    });
    expect(await world.inForce()).toMatchObject({ number: 1 });
  });

  it('is void once another document comes into force', async () => {
    await waiting();
    await put(`# Reviewed.\n${CANARY}`);
    expect(world.rule.waitingIn(world.tenant)).toEqual([]);
    expect(world.rule.movedIn(world.tenant).at(-1)).toMatchObject({ kind: 'autonomy', subjectId: 'document' });
  });

  it('comes into force alone if no second person could confirm it, and the record says so', async () => {
    world.rule.secondAdmin = false;
    expect(await world.put(TWO_LEADS)).toMatchObject({ ok: true, value: { outcome: 'done', alone: true } });
    expect(world.audited.at(-1)).toMatchObject({ payload: { to: 2, guarded: false } });
  });

  it.each<[string, string, string]>([
    [
      'break-glass',
      `${CANARY}emergency_override:\n  enabled: true\n  allowed_roles: [SRELead]\n`,
      'break-glass is switched on, for SRELead',
    ],
    [
      'a limit of batches',
      CANARY.replace('mode: canary_only', 'mode: canary_only\n      simulation_valid_minutes: 2000'),
      'production, the minutes a simulation is good for: 1440 becomes 2000',
    ],
    [
      'an escalation',
      CANARY.replace('mode: canary_only', 'mode: canary_only\n      escalation: { after_minutes: 5, to: [SRELead] }'),
      'SRELead are notified of undecided requests in production',
    ],
  ])('beyond the cells waits too: %s', async (_what, source, loosened) => {
    expect(await world.put(source, authored())).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect(world.rule.waitingIn(world.tenant)).toMatchObject([{ loosens: [loosened] }]);
  });

  it('needs no second person if it only tightens', async () => {
    const stricter = CANARY.replace('  mode: plan_only', '  mode: plan_only\n  require_mfa: true');
    expect(await world.put(stricter)).toMatchObject({ ok: true, value: { outcome: 'done', alone: false } });
    expect(await world.inForce()).toMatchObject({ number: 2 });
  });
});
