import { newId, type CredentialId, type DecisionId, type SessionId, type ToolCallId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { ToolCall } from '../domain/tool-call.js';
import { sampleToolCall } from './fake-tool-call.js';
import type { ToolCallRepository } from './tool-call.port.js';

interface ToolCallsOpened {
  readonly world: ContractWorld;
  readonly calls: ToolCallRepository;
  newDecision(): Promise<DecisionId>;
  /** Keeps a session of the tenant's agent. */
  newSession(): Promise<SessionId>;
}

/** The contract of a repository of decided calls. */
export function describeToolCallRepository(name: string, open: () => Promise<ToolCallsOpened>): void {
  describe(`${name} keeps the contract of ToolCallRepository`, () => {
    let opened: ToolCallsOpened;
    let decisionId: DecisionId;
    beforeAll(async () => {
      opened = await open();
      decisionId = await opened.newDecision();
    });
    afterAll(() => opened.world.close());

    const inTenant = <T>(tenant: 'home' | 'other', work: (tx: Tx) => Promise<T>): Promise<T> =>
      opened.world.uow.run(opened.world[tenant].tenantId, work);
    const kept = async (members: Partial<ToolCall> = {}): Promise<ToolCall> => {
      const call = sampleToolCall(opened.world.home, { decisionId, ...members });
      await inTenant('home', (tx) => opened.calls.insert(tx, call));
      return call;
    };

    it('finds a kept call, whole, allowed and denied', async () => {
      const allowed = await kept({ clientCallId: newId(), turnId: 'turn 1', reason: 'To see the files.' });
      const { owner } = opened.world.home;
      const denied = await kept({
        submitter: { kind: 'person', id: owner.personId, onBehalfOf: null, credentialId: owner.credentialId },
        shell: null,
        state: 'denied',
        decidedAs: 'denied',
        allowedUntil: null,
      });
      for (const call of [allowed, denied])
        expect(await inTenant('home', (tx) => opened.calls.find(tx, call.id))).toEqual(call);
    });

    it('has nothing under another id, and nothing for another tenant', async () => {
      const { id } = await kept();
      expect(await inTenant('home', (tx) => opened.calls.find(tx, newId<ToolCallId>()))).toBeUndefined();
      expect(await inTenant('other', (tx) => opened.calls.find(tx, id))).toBeUndefined();
    });

    it('finds a call by the name that its credential gave it, and no other', async () => {
      const clientCallId = newId();
      const call = await kept({ clientCallId });
      const named = (
        tenant: 'home' | 'other',
        credential: CredentialId,
        own: string,
        sessionId: SessionId | null = null,
      ) => inTenant(tenant, (tx) => opened.calls.lockNamed(tx, { sessionId, credentialId: credential }, own));
      const { credentialId } = call.submitter;
      expect(await named('home', credentialId, clientCallId)).toEqual(call);
      expect(await named('home', credentialId, newId())).toBeUndefined();
      expect(await named('home', newId<CredentialId>(), clientCallId)).toBeUndefined();
      expect(await named('other', credentialId, clientCallId)).toBeUndefined();
      const sessionId = await opened.newSession();
      const inSession = await kept({ sessionId, clientCallId });
      expect(await named('home', newId<CredentialId>(), clientCallId, sessionId)).toEqual(inSession);
      expect(await named('home', credentialId, clientCallId)).toEqual(call);
    });

    it('lets a credential give a name once, and a session', async () => {
      for (const sessionId of [null, await opened.newSession()]) {
        const clientCallId = newId();
        await kept({ sessionId, clientCallId });
        await expect(kept({ sessionId, clientCallId })).rejects.toMatchObject({ code: '23505' });
      }
    });

    it('lets a second request with a name wait for the first', async () => {
      const clientCallId = newId();
      const call = sampleToolCall(opened.world.home, { decisionId, clientCallId });
      const { credentialId } = call.submitter;
      const waited = await waitsBehind(
        opened.world,
        async (tx) => {
          expect(await opened.calls.lockNamed(tx, { sessionId: null, credentialId }, clientCallId)).toBeUndefined();
          await opened.calls.insert(tx, call);
        },
        async (tx) => {
          expect(await opened.calls.lockNamed(tx, { sessionId: null, credentialId }, clientCallId)).toEqual(call);
        },
      );
      expect(waited).toBe(true);
    });
  });
}
