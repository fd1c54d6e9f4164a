import { forgingIssuer } from '../../../../../test/support/forging-issuer.js';
import type { GuardedFetch } from '#lib/dispatch';
import type { TenantId } from '#lib/kernel';
import { sampleIssuer } from '../application/fake-issuer.js';
import { describeIssuerGateway } from '../application/issuer-gateway.contract.js';
import { OpenidIssuerGateway } from './openid-issuer-gateway.js';

const reach: GuardedFetch = (_tenantId, url, options) => fetch(url, options);

describeIssuerGateway('OpenidIssuerGateway', async (offersSignOut) => {
  const issuer = await forgingIssuer({ offersSignOut });
  const seconds = (ms: number): number => Math.floor(ms / 1_000);
  const now = Date.now();
  const times = { iat: seconds(now), exp: seconds(now) + 600 };
  let open = true;
  const stop = async (): Promise<void> => {
    if (open) await issuer.close();
    open = false;
  };
  return {
    gateway: new OpenidIssuerGateway(reach),
    url: issuer.url,
    now,
    signIn: async (location, { subject, email, emailVerified, displayName, groups, authenticatedAt }) => {
      const { searchParams: asked } = new URL(location);
      issuer.nextIdToken = await issuer.sign({
        ...times,
        iss: issuer.url,
        aud: asked.get('client_id'),
        nonce: asked.get('nonce'),
        sub: subject,
        groups,
        ...(email === null ? {} : { email }),
        ...(emailVerified === null ? {} : { email_verified: emailVerified }),
        ...(displayName === null ? {} : { name: displayName }),
        ...(authenticatedAt === null ? {} : { auth_time: seconds(authenticatedAt) }),
      });
      return `${asked.get('redirect_uri') ?? ''}?code=c&state=${asked.get('state') ?? ''}`;
    },
    accessToken: (subject, audience) =>
      issuer.sign({ ...times, iss: issuer.url, aud: audience, sub: subject }, { typ: 'at+jwt' }),
    stop,
    close: stop,
  };
});

it.each([
  ['https://issuer.example.com/jwks', true],
  ['http://issuer.example.com/jwks', false],
])('takes the keys of an issuer that stand at %s: %s', async (jwksUri, taken) => {
  const issuer = { ...sampleIssuer(), id: 'i', url: 'https://issuer.example.com' };
  const described = {
    ...{ issuer: issuer.url, jwks_uri: jwksUri },
    ...{ authorization_endpoint: `${issuer.url}/authorize`, token_endpoint: `${issuer.url}/token` },
    ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
    id_token_signing_alg_values_supported: ['ES256'],
  };
  const gateway = new OpenidIssuerGateway(() => Promise.resolve(Response.json(described)));
  const checked = await gateway.check({ tenantId: 't' as TenantId, issuer, clientSecret: null });
  expect(checked.ok).toBe(taken);
});
