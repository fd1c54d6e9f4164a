import { AGENT_SCOPES } from '#lib/identity';
import type { Failure, Principal, Scope } from '#lib/kernel';

/** The credential does not hold the scope of the route. Agents cannot sign in: an admin makes a token for them. */
export const scopeMissing = (principal: Principal, scope: Scope): Failure => ({
  kind: 'forbidden',
  code: 'credential.scope_missing',
  message: `This credential does not hold the scope "${scope}".`,
  action: principal.kind === 'agent' ? forAgent(principal, scope) : FOR_A_PERSON,
  details: { required_scope: scope },
});

const FOR_A_PERSON = 'Use a credential that was issued with it. In the browser you may do what your roles allow.';

const forAgent = ({ agentId, scopes }: Extract<Principal, { kind: 'agent' }>, scope: Scope): string =>
  AGENT_SCOPES.includes(scope)
    ? `Use a token that was made with it. An admin makes one: countersign agent-token ${agentId} --scope ${[...scopes, scope].join(' ')} --save-token FILE`
    : 'No token of an agent can hold it: ask a person to do this.';
