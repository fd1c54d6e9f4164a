import { testApi, type TestApi, type TestTenant } from '../support/api.js';
import { registerIssuer, TestBrowser, testIssuer, type TestIssuer } from '../support/issuer.js';

let api: TestApi;
let issuer: TestIssuer;
let tenant: TestTenant;

beforeAll(async () => {
  issuer = await testIssuer([
    { sub: 'olga', name: 'Olga', groups: ['sre-leads', 'everybody'] },
    { sub: 'nina', name: 'Nina', groups: ['everybody'] },
  ]);
  api = await testApi({ config: { allowedPrivateHosts: [issuer.host] } });
  tenant = await api.tenant();
  await registerIssuer(api, tenant, issuer);
});
afterAll(async () => {
  await issuer.close();
  await api.close();
});

describe('signing in', () => {
  it('makes somebody a person, with the roles that their groups give, and opens a session', async () => {
    const browser = new TestBrowser(api);
    const back = await browser.signIn(issuer, tenant, 'olga');
    expect([back.status, back.headers.location]).toEqual([303, '/']);
    const session = await browser.session();
    expect(session.body).toMatchObject({
      signed_in: true,
      person: { display_name: 'Olga', email: 'olga@issuer.example.com', roles: ['SRELead'] },
      tenant: { slug: tenant.slug },
    });
    expect((await browser.get('/v1/me')).body).toMatchObject({ kind: 'person', display_name: 'Olga' });
  });
});
