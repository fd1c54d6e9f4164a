import type { PersonPrincipal, Principal } from '#lib/kernel';
import { DEFAULT_AUTONOMY, type SessionAutonomy } from '../domain/session.js';
import { sessionWorld } from './fake-session-world.js';

const LEVELS: SessionAutonomy = { ...DEFAULT_AUTONOMY, preset: 'levels' };
const LOOSER = { level: 'FULL_AUTO' } as const;
const inPerson = (person: PersonPrincipal, credentialKind: 'browser_session' | 'slack_link'): PersonPrincipal => ({
  ...person,
  credentialKind,
});

describe('the settings of a session', () => {
  it('are tightened by its agent, under a recorded decision', async () => {
    const { change, opened, found, audited, decisionOf, home } = await sessionWorld();
    const session = await opened();
    const changed = await change.execute(home.agent, session.id, { level: 'MANUAL' });
    const after = { ...session, autonomy: { ...session.autonomy, level: 'MANUAL' }, revision: 2 };
    expect(changed).toEqual({ ok: true, value: after });
    expect(await found(session.id)).toEqual(after);
    const [entry, ...others] = audited();
    if (entry?.decisionId === undefined) throw new Error('no decision stands behind the change');
    expect(others).toEqual([]);
    const subject = { type: 'session', id: session.id };
    expect(entry).toMatchObject({
      action: 'session.changed',
      level: 'detailed',
      subject,
      within: [subject],
      payload: { before: DEFAULT_AUTONOMY, after: after.autonomy },
    });
    expect(await decisionOf(entry.decisionId)).toMatchObject({
      entrypoint: 'session_change',
      about: { subject, within: [subject] },
      input: {
        tenant_id: home.tenantId,
        actor: { kind: 'agent', via: 'token' },
        environment: { name: 'staging', production: false },
        before: DEFAULT_AUTONOMY,
        after: after.autonomy,
      },
      decision: { outcome: 'allow', reasons: [{ code: 'session.tightens' }] },
    });
  });

  it('T55: are loosened by no agent and no token, and the refusal is on record', async () => {
    const { change, opened, found, audited, home } = await sessionWorld();
    const session = await opened({ autonomy: LEVELS });
    const tokens: readonly Principal[] = [
      home.agent,
      { ...home.owner, credentialKind: 'person_token' },
      { ...home.admin, credentialKind: 'issuer_token' },
    ];
    for (const by of tokens)
      expect(await change.execute(by, session.id, LOOSER)).toMatchObject({
        ok: false,
        error: {
          kind: 'forbidden',
          code: 'session.loosened_by_token',
          action: expect.stringContaining('browser') as string,
          reasons: [{ code: 'session.loosened_by_token' }],
        },
      });
    expect(await found(session.id)).toEqual(session);
    expect(audited().map(({ action, level }) => [action, level])).toEqual(
      tokens.map(() => ['session.change_refused', 'full']),
    );
  });

  it.each(['browser_session', 'slack_link'] as const)(
    'are loosened by a person who came by %s, on record',
    async (kind) => {
      const { change, opened, audited, home } = await sessionWorld();
      const session = await opened({ autonomy: LEVELS });
      expect(await change.execute(inPerson(home.owner, kind), session.id, LOOSER)).toMatchObject({
        ok: true,
        value: { autonomy: { preset: 'levels', level: 'FULL_AUTO' }, revision: 2 },
      });
      expect(audited()).toMatchObject([{ action: 'session.changed', level: 'full', payload: { before: LEVELS } }]);
    },
  );

  it("T55: hold a budget of calls that a token lowers, and a person raises up to the tenant's bound", async () => {
    const { change, opened, found, audited, home, put } = await sessionWorld();
    const session = await opened({ callBudget: 50 });
    const person = inPerson(home.owner, 'browser_session');
    const budget = (by: Principal, callBudget: number) => change.execute(by, session.id, { callBudget });
    expect(await budget(home.agent, 40)).toMatchObject({ value: { callBudget: 40, revision: 2 } });
    for (const by of [home.agent, home.owner])
      expect(await budget(by, 41)).toMatchObject({ error: { kind: 'forbidden', code: 'session.loosened_by_token' } });
    expect(await found(session.id)).toMatchObject({ callBudget: 40 });
    expect(await budget(person, 60)).toMatchObject({ value: { callBudget: 60, revision: 3 } });
    await put('autonomy:\n  mode: plan_only\n  calls_per_session: 55\n', 1);
    expect(await budget(person, 61)).toMatchObject({
      error: { code: 'session.budget_too_large', errors: [{ pointer: '/call_budget' }] },
    });
    expect(await budget(person, 58)).toMatchObject({ value: { callBudget: 58 } });
    expect(audited().map(({ action, level, payload }) => [action, level, payload])).toMatchObject([
      ['session.changed', 'detailed', { before: { call_budget: 50 }, after: { call_budget: 40 } }],
      ['session.change_refused', 'full', { after: { call_budget: 41 } }],
      ['session.change_refused', 'full', {}],
      ['session.changed', 'full', { before: { call_budget: 40 }, after: { call_budget: 60 } }],
      ['session.changed', 'detailed', {}],
    ]);
  });

  it('can be no preset again', async () => {
    const { change, opened, home } = await sessionWorld();
    const session = await opened({ autonomy: LEVELS });
    expect(await change.execute(home.agent, session.id, { preset: null })).toMatchObject({
      value: { autonomy: { preset: null } },
    });
  });

  it('that stay the same are no change', async () => {
    const { change, opened, audited, home } = await sessionWorld();
    const session = await opened({ autonomy: LEVELS });
    expect(await change.execute(home.agent, session.id, { preset: 'levels' })).toEqual({ ok: true, value: session });
    expect(audited()).toEqual([]);
  });

  it('are not changed by people and agents outside, and not after the end', async () => {
    const { change, opened, end, found, another, stranger, other, home } = await sessionWorld();
    const session = await opened();
    for (const [by, code] of [
      [another, 'resource.not_found'],
      [other.admin, 'resource.not_found'],
      [inPerson(stranger, 'browser_session'), 'session.not_yours'],
    ] as const)
      expect(await change.execute(by, session.id, { level: 'MANUAL' })).toMatchObject({ error: { code } });
    expect(await found(session.id)).toEqual(session);
    await end.execute(home.agent, session.id, 'close');
    expect(await change.execute(home.agent, session.id, { level: 'MANUAL' })).toMatchObject({
      error: { code: 'session.ended' },
    });
  });
});
