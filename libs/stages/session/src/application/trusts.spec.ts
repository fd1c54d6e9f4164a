import { digestOf, newId, type PersonPrincipal, type ToolCallId } from '#lib/kernel';
import type { SessionTrustId } from '../domain/ids.js';
import { MAX_SHAPE_BYTES } from '../domain/session-trust.js';
import { sessionWorld } from './fake-session-world.js';

const CALL = {
  tool: 'edit_file',
  toolDigest: digestOf('tool', { name: 'edit_file' }),
  executorDigest: null,
  shape: '{"path":"src/a.ts"}',
};
const callId = newId<ToolCallId>();
const page = { limit: 9, after: null };
const inBrowser = (person: PersonPrincipal): PersonPrincipal => ({ ...person, credentialKind: 'browser_session' });

async function world() {
  const made = await sessionWorld();
  const session = await made.opened();
  const owner = inBrowser(made.home.owner);
  return {
    ...made,
    session,
    owner,
    say: (by: Parameters<typeof made.trust.execute>[1] = owner, call = CALL, factorProved = false) =>
      made.atHome(async (tx) => {
        const locked = await made.sessions.lock(tx, session.id);
        if (locked === null) throw new Error('the session is gone');
        return made.trust.execute(tx, by, locked, call, { callId, factorProved });
      }),
    covering: () => made.atHome((tx) => made.trusts.covering(tx, session.id, CALL)),
  };
}

describe('an "always"', () => {
  it('covers calls of its session, tool and shape from then on, on record', async () => {
    const { say, covering, session, owner, listTrusts, home, audited } = await world();
    const said = await say();
    if (!said.ok) throw new Error(said.error.code);
    expect(said.value).toMatchObject({
      ...CALL,
      sessionId: session.id,
      madeBy: owner.personId,
      credentialId: owner.credentialId,
      revoked: null,
    });
    expect(await covering()).toEqual([said.value]);
    expect(await listTrusts.execute(home.agent, session.id, page)).toEqual({ ok: true, value: [said.value] });
    expect(audited()).toMatchObject([
      {
        action: 'session.trusted',
        actor: { kind: 'person', id: owner.personId },
        level: 'full',
        subject: { type: 'session', id: session.id },
        within: [{ type: 'session', id: session.id }],
        payload: { trust_id: said.value.id, tool: CALL.tool, shape: CALL.shape, tool_call_id: callId },
      },
    ]);
  });

  it('said again by the same credential is the one that is in force', async () => {
    const { say, owner, audited } = await world();
    const first = await say();
    expect(await say({ ...owner, credentialKind: 'slack_link' })).toEqual(first);
    expect(audited()).toHaveLength(1);
  });

  it('said by another person, or with a second factor, stands beside the first one', async () => {
    const { say, owner, covering, stranger } = await world();
    const said = [await say(), await say(inBrowser(stranger)), await say(owner, CALL, true)];
    const trusts = said.flatMap((each) => (each.ok ? [each.value] : []));
    expect(new Set(await covering())).toEqual(new Set(trusts));
    expect(trusts.map(({ factorProved }) => factorProved)).toEqual([false, false, true]);
  });

  it('T55: is said by no token and no agent', async () => {
    const { say, covering, home, audited } = await world();
    const byToken = { error: { kind: 'forbidden', code: 'session.trusted_by_token' } };
    for (const credentialKind of ['person_token', 'issuer_token'] as const)
      expect(await say({ ...home.owner, credentialKind })).toMatchObject(byToken);
    expect(await say(home.agent)).toMatchObject(byToken);
    expect([await covering(), audited()]).toEqual([[], []]);
  });

  it('is refused after the end, and for arguments that are too long', async () => {
    const { say, owner, end, session } = await world();
    const long = { ...CALL, shape: 'x'.repeat(MAX_SHAPE_BYTES + 1) };
    expect(await say(owner, long)).toMatchObject({ error: { code: 'session.shape_too_long' } });
    await end.execute(owner, session.id, 'close');
    expect(await say()).toMatchObject({ error: { code: 'session.ended' } });
  });

  it('is not listed to agents and tenants outside', async () => {
    const { say, listTrusts, session, another, other } = await world();
    await say();
    for (const by of [another, other.admin])
      expect(await listTrusts.execute(by, session.id, page)).toMatchObject({ error: { code: 'resource.not_found' } });
  });
});

describe('an "always" that is taken back', () => {
  it('covers nothing any more, by anybody who takes part and any credential, on record', async () => {
    const { say, covering, revokeTrust, listTrusts, session, home, audited, uow } = await world();
    const said = await say();
    if (!said.ok) throw new Error(said.error.code);
    const back = await revokeTrust.execute(home.agent, session.id, said.value.id);
    expect(back).toMatchObject({ ok: true, value: { revoked: { at: uow.now, by: { id: home.agent.agentId } } } });
    expect(await covering()).toEqual([]);
    expect(await listTrusts.execute(home.owner, session.id, page)).toMatchObject({
      value: [{ id: said.value.id, revoked: { at: uow.now } }],
    });
    expect(await revokeTrust.execute(home.owner, session.id, said.value.id)).toEqual(back);
    expect(audited().map(({ action }) => action)).toEqual(['session.trusted', 'session.trust_revoked']);
  });

  it('T55: is taken back by a change of the settings that it was said under, on record', async () => {
    const { say, covering, change, listTrusts, session, home, audited, uow } = await world();
    const said = await say();
    if (!said.ok) throw new Error(said.error.code);
    await change.execute(home.agent, session.id, { level: session.autonomy.level });
    expect(await covering()).toEqual([said.value]);
    await change.execute(home.agent, session.id, { level: 'MANUAL' });
    expect(await covering()).toEqual([]);
    expect(await listTrusts.execute(home.owner, session.id, page)).toMatchObject({
      value: [{ id: said.value.id, revoked: { at: uow.now, by: { id: home.agent.agentId } } }],
    });
    expect(audited().map(({ action }) => action)).toEqual([
      'session.trusted',
      'session.changed',
      'session.trust_revoked',
    ]);
  });

  it('may be taken back by its maker, also from outside the session', async () => {
    const { say, covering, revokeTrust, session, stranger } = await world();
    const said = await say(inBrowser(stranger));
    if (!said.ok) throw new Error(said.error.code);
    expect((await revokeTrust.execute(stranger, session.id, said.value.id)).ok).toBe(true);
    expect(await covering()).toEqual([]);
  });

  it('stays in force for all others', async () => {
    const { say, covering, revokeTrust, session, stranger, another, other, home, opened } = await world();
    const said = await say();
    if (!said.ok) throw new Error(said.error.code);
    const { id } = said.value;
    for (const [by, sessionId, trustId, code] of [
      [stranger, session.id, id, 'session.not_yours'],
      [another, session.id, id, 'resource.not_found'],
      [other.admin, session.id, id, 'resource.not_found'],
      [home.agent, session.id, newId<SessionTrustId>(), 'resource.not_found'],
      [home.agent, (await opened()).id, id, 'resource.not_found'],
    ] as const)
      expect(await revokeTrust.execute(by, sessionId, trustId)).toMatchObject({ error: { code } });
    expect(await covering()).toEqual([said.value]);
  });
});
