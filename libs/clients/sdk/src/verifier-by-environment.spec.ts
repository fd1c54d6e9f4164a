import { UnsecuredJWT } from 'jose';
import { verifierByEnvironment } from './verifier-by-environment.js';

const call = { tool: 't', tool_version: 1, arguments: {}, secrets: {}, idempotency_key: 'k' };
const verify = verifierByEnvironment(['production'], () => ({
  issuer: 'http://127.0.0.1:9',
  audience: 'fleet.production',
  tenants: 'any',
  replay: 'redeem',
}));

it.each<[string, string, string | undefined]>([
  ['grant.missing', 'no grant', undefined],
  ['grant.invalid', 'something that is no grant', 'nonsense'],
  ['grant.invalid', 'a grant without an environment', new UnsecuredJWT({}).encode()],
  ['grant.invalid', 'a grant that nobody signed', new UnsecuredJWT({ environment: 'production' }).encode()],
  ['grant.wrong_environment', 'a grant of elsewhere', new UnsecuredJWT({ environment: 'development' }).encode()],
])('refuses with %s a call with %s', async (code, _, grant) => {
  await expect(verify(grant, call)).rejects.toMatchObject({ code });
});
