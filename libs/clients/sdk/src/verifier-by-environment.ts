import { decodeJwt } from 'jose';
import { GrantError, grantVerifier, type GrantVerifier, type GrantVerifierOptions } from './grant-verifier.js';

/**
 * One verifier an environment, each with the audience that it has there. The grant's unverified word only chooses the
 * verifier. That verifier checks the environment again, with the signature.
 */
export function verifierByEnvironment(
  environments: readonly string[],
  optionsOf: (environment: string) => Omit<GrantVerifierOptions, 'environments'>,
): GrantVerifier {
  const verifiers = new Map(
    environments.map((environment) => [
      environment,
      grantVerifier({ ...optionsOf(environment), environments: [environment] }),
    ]),
  );
  return (grant, call) => {
    if (grant === undefined || grant === '')
      return Promise.reject(new GrantError('grant.missing', 'the call came without a grant'));
    const environment = environmentIn(grant);
    if (environment === null)
      return Promise.reject(new GrantError('grant.invalid', 'this is not a valid grant of this issuer'));
    const verify = verifiers.get(environment);
    return verify === undefined
      ? Promise.reject(
          new GrantError(
            'grant.wrong_environment',
            `the grant is for no environment of this tool server, which works in ${environments.map((name) => `"${name}"`).join(' and ')}`,
          ),
        )
      : verify(grant, call);
  };
}

function environmentIn(grant: string): string | null {
  try {
    const { environment } = decodeJwt(grant);
    return typeof environment === 'string' ? environment : null;
  } catch {
    // No JWT at all.
    return null;
  }
}
