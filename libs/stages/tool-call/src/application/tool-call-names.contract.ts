import { digestOf, newId, type AgentId, type CredentialId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ToolCall, ToolCallFacts } from '../domain/tool-call.js';
import type { UnjudgedCall } from '../domain/unjudged-call.js';
import { sampleToolCall, sampleUnjudged } from './fake-tool-call.js';
import type { NameSpace } from './tool-call.port.js';
import type { CallStore } from './tool-call-store.contract.js';

/** How a repository finds a call again: by the name that its caller gave it, or by its twin. */
export function describeCallNames(opened: () => CallStore): void {
  it('keeps calls that lacked a fact for their names, whole, and in no list', async () => {
    const store = opened();
    const sessionId = await store.newSession();
    const submitter = store.person;
    const errors = [
      { pointer: '/lin\u0000', code: 'tool.argument_unknown', message: 'There is no parameter.', suggestion: 'line' },
    ];
    const keep = async (members: Partial<UnjudgedCall> = {}): Promise<UnjudgedCall> => {
      const call = sampleUnjudged(store.home, { clientCallId: newId(), ...members });
      await store.inTenant('home', (tx) => store.calls.insertUnjudged(tx, call));
      return call;
    };
    const named = (call: UnjudgedCall, members: Partial<NameSpace> = {}, tenant: 'home' | 'other' = 'home') =>
      store.inTenant(tenant, (tx) =>
        store.calls.lockNamed(
          tx,
          { sessionId: call.sessionId, submitter: call.submitter, ...members },
          call.clientCallId ?? '',
        ),
      );
    const unfit = { tool: { name: 'shell', version: 2 }, code: 'policy.invalid_arguments', errors } as const;
    const calls = [
      await keep({ turnId: 'turn 1' }),
      await keep(unfit),
      await keep({ submitter }),
      await keep({ sessionId }),
      await keep({ sessionId, submitter }),
    ];
    const rotated = { credentialId: newId<CredentialId>() };
    for (const call of calls) {
      expect(await named(call)).toEqual(call);
      expect(await named(call, {}, 'other')).toBeNull();
      expect(await named(call, { sessionId: await store.newSession() })).toBeNull();
      const own = call.submitter.kind === 'agent' || call.sessionId !== null ? call : null;
      expect(await named(call, { submitter: { ...call.submitter, ...rotated } })).toEqual(own);
      expect(await store.found(call.id)).toBeNull();
    }
    const listed = (tx: Tx) =>
      store.calls.list(tx, { sessionId, agentId: null, state: null }, { after: null, limit: 10 });
    expect(await store.inTenant('home', listed)).toEqual([]);
  });

  it('finds a call outside sessions by the name of its agent, or of its person with one credential', async () => {
    const store = opened();
    const clientCallId = newId();
    const call = await store.kept({ clientCallId });
    const { person } = store;
    const ofPerson = await store.kept({ clientCallId, submitter: person });
    const named = (
      submitter: ToolCall['submitter'],
      { own = clientCallId, tenant = 'home' }: { readonly own?: string; readonly tenant?: 'home' | 'other' } = {},
    ) => store.inTenant(tenant, (tx) => store.calls.lockNamed(tx, { sessionId: null, submitter }, own));
    const rotated = { credentialId: newId<CredentialId>() };
    expect(await named(call.submitter)).toEqual(call);
    expect(await named({ ...call.submitter, ...rotated })).toEqual(call);
    expect(await named({ ...call.submitter, kind: 'agent', id: newId<AgentId>(), onBehalfOf: null })).toBeNull();
    expect(await named(person)).toEqual(ofPerson);
    expect(await named({ ...person, ...rotated })).toBeNull();
    expect(await named(call.submitter, { own: newId() })).toBeNull();
    expect(await named(call.submitter, { tenant: 'other' })).toBeNull();
    await store.kept({ sessionId: await store.newSession(), clientCallId });
    expect(await named(call.submitter)).toEqual(call);
  });

  it('finds a call of a session by the name that its agent or person gave it, with any credential', async () => {
    const store = opened();
    const [clientCallId, sessionId] = [newId(), await store.newSession()];
    const call = await store.kept({ sessionId, clientCallId });
    const { person } = store;
    const ofPerson = await store.kept({ sessionId, clientCallId, submitter: person });
    const named = (id: ToolCall['submitter']['id'], within = sessionId, tenant: 'home' | 'other' = 'home') =>
      store.inTenant(tenant, (tx) =>
        store.calls.lockNamed(
          tx,
          { sessionId: within, submitter: { kind: 'agent', id, credentialId: newId<CredentialId>() } },
          clientCallId,
        ),
      );
    expect(await named(call.submitter.id)).toEqual(call);
    expect(await named(person.id)).toEqual(ofPerson);
    expect(await named(store.world.other.owner.personId)).toBeNull();
    expect(await named(call.submitter.id, await store.newSession())).toBeNull();
    expect(await named(call.submitter.id, sessionId, 'other')).toBeNull();
  });

  it('lets an agent give a name once, in a session and outside', async () => {
    const store = opened();
    for (const sessionId of [null, await store.newSession()]) {
      const clientCallId = newId();
      await store.kept({ sessionId, clientCallId });
      await expect(store.kept({ sessionId, clientCallId })).rejects.toMatchObject({ code: '23505' });
    }
  });

  it('lets a second request with a name wait for the first', async () => {
    const store = opened();
    const clientCallId = newId();
    const call = sampleToolCall(store.home, { decisionId: store.decisionId, clientCallId });
    const { submitter } = call;
    const waited = await waitsBehind(
      store.world,
      async (tx) => {
        expect(await store.calls.lockNamed(tx, { sessionId: null, submitter }, clientCallId)).toBeNull();
        await store.calls.insert(tx, call);
      },
      async (tx) => {
        expect(await store.calls.lockNamed(tx, { sessionId: null, submitter }, clientCallId)).toEqual(call);
      },
    );
    expect(waited).toBe(true);
  });

  it('finds the pending twin of a call, for one transaction at a time', async () => {
    const store = opened();
    const sessionId = await store.newSession();
    const { staging } = store.home;
    const argumentsDigest = digestOf('arguments', { line: newId() });
    const of = (members: Partial<ToolCallFacts> = {}) => store.facts({ sessionId, argumentsDigest, ...members });
    const twin = (members: Partial<ToolCallFacts> = {}, tenant: 'home' | 'other' = 'home') =>
      store.inTenant(tenant, (tx) => store.calls.lockTwin(tx, of(members)));
    await store.kept(of());
    expect(await twin()).toBeNull();
    const call = await store.pending(of());
    expect(await twin()).toEqual(call);
    expect(await twin({ submitter: { ...call.submitter, credentialId: newId<CredentialId>() } })).toEqual(call);
    const others: readonly Partial<ToolCallFacts>[] = [
      { submitter: store.person },
      { tool: { name: 'another', version: 1 } },
      { tool: { name: 'shell', version: 2 } },
      { environment: { ...call.environment, id: staging.id } },
      { argumentsDigest: digestOf('arguments', { line: 'ls' }) },
    ];
    for (const members of others) expect([members, await twin(members)]).toEqual([members, null]);
    expect(await twin({}, 'other')).toBeNull();
    expect(await twin({ sessionId: null })).toEqual(call);
    expect(await twin({ sessionId: await store.newSession() })).toEqual(call);
    expect(
      await waitsBehind(store.world, async (tx) => {
        await store.calls.lockTwin(tx, call);
      }),
    ).toBe(true);
  });
}
