import {
  digestOf,
  newId,
  type CredentialId,
  type PersonId,
  type PersonPrincipal,
  type SessionId,
  type ToolCallId,
} from '#lib/kernel';
import type { TestApi, TestTenant } from './api.js';

/** A person's "always" in a session, said as the gate says it: in the transaction of their answer. @returns its id. */
export async function trustedCall(
  api: TestApi,
  tenant: TestTenant,
  personId: PersonId,
  sessionId: string,
  call: { readonly tool: string; readonly shape: string },
): Promise<string> {
  const { rows } = await api.db.owner.query<{ id: CredentialId }>(
    "select id from credential where person_id = $1 and kind = 'browser_session'",
    [personId],
  );
  const [credential] = rows;
  if (credential === undefined) throw new Error('the person has no browser session');
  const by: PersonPrincipal = {
    kind: 'person',
    tenantId: tenant.id,
    personId,
    displayName: 'A person',
    roles: [],
    credentialId: credential.id,
    credentialKind: 'browser_session',
    scopes: ['read'],
    signedInAt: null,
  };
  const { access, trustCall } = api.installation.session;
  return api.database.uow.run(tenant.id, async (tx) => {
    const locked = await access.toChange(tx, by, sessionId as SessionId);
    if (!locked.ok) throw new Error(locked.error.code);
    const covers = { ...call, toolDigest: digestOf('tool', { name: call.tool }), executorDigest: null };
    const answered = { callId: newId<ToolCallId>(), factorProved: false };
    const said = await trustCall.execute(tx, by, locked.value, covers, answered);
    if (!said.ok) throw new Error(said.error.code);
    return said.value.id;
  });
}
