import { AGENT_SCOPES } from '#lib/identity';
import { PLATFORM_ADMIN, SECURITY_REVIEWER } from '#lib/formats';
import { actsInPerson, type Failure, type Principal, type Scope } from '#lib/kernel';

/**
 * The credential does not hold the scope of the route. Agents cannot sign in: an admin makes a token for them. A person in the browser or
 * in Slack lacks a role.
 */
export const scopeMissing = (principal: Principal, scope: Scope): Failure => ({
  kind: 'forbidden',
  code: 'credential.scope_missing',
  ...(actsInPerson(principal)
    ? { message: roleFor(scope), action: FOR_A_PERSON }
    : {
        message: `This credential does not hold the scope "${scope}".`,
        action: principal.kind === 'agent' ? forAgent(principal, scope) : FOR_A_TOKEN,
      }),
  details: { required_scope: scope },
});

const FOR_A_TOKEN = 'Use a credential that was issued with it. In the browser you may do what your roles allow.';

/** The roles that open a scope; the others are open to everybody. */
function roleFor(scope: Scope): string {
  if (scope === 'review') return 'You have no role, and a review takes one.';
  return `This takes the role ${scope === 'audit' ? `${PLATFORM_ADMIN} or ${SECURITY_REVIEWER}` : PLATFORM_ADMIN}.`;
}

const FOR_A_PERSON = 'Ask an admin to assign it, in the settings under People and roles.';

const forAgent = ({ agentId, scopes }: Extract<Principal, { kind: 'agent' }>, scope: Scope): string =>
  AGENT_SCOPES.includes(scope)
    ? `Use a token that was made with it. An admin makes one: countersign agent-token ${agentId} --scope ${[...scopes, scope].join(' ')} --save-token FILE`
    : 'No token of an agent can hold it: ask a person to do this.';
