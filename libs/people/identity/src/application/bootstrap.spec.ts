import { newId, type TenantId } from '#lib/kernel';
import { codeOf, FakeIdentityWorld, valueOf } from '../fake-identity-world.js';
import { BOOTSTRAP_LIFETIME_MS } from '../domain/lifetime.js';
import { tokenKindOf } from '../domain/token.js';
import type { FoundedTenant } from './bootstrap.js';

const wanted = (slug = 'acme') => ({
  tenant: { slug, name: 'Acme' },
  admin: { email: 'ada@example.com', displayName: 'Ada' },
});

let world: FakeIdentityWorld;
let token: string;
beforeEach(async () => {
  world = await FakeIdentityWorld.open();
  ({ token } = await world.issueBootstrap.execute());
});
const found = async (slug?: string): Promise<FoundedTenant> =>
  valueOf(await world.bootstrap.execute(token, wanted(slug)));
const inTenant = (tenantId: TenantId) => world.uow.run(tenantId, (tx) => Promise.resolve(tx));

describe('a bootstrap token', () => {
  it('is of its own kind, is good for a day, and differs from every other', async () => {
    const other = await world.issueBootstrap.execute();
    expect(tokenKindOf(other.token)).toBe('bootstrap');
    expect(other.token).not.toBe(token);
    expect(other.expiresAt).toBe(world.uow.now + BOOTSTRAP_LIFETIME_MS);
  });

  it('founds a tenant once', async () => {
    await found();
    expect(codeOf(await world.bootstrap.execute(token, wanted('other')))).toBe('bootstrap.refused');
  });

  it('founds one tenant if it is used twice at the same time', async () => {
    const both = await Promise.all(['acme', 'other'].map((slug) => world.bootstrap.execute(token, wanted(slug))));
    expect(both.map(codeOf)).toEqual(['ok', 'bootstrap.refused']);
  });

  it('founds nothing after its day', async () => {
    world.uow.now += BOOTSTRAP_LIFETIME_MS;
    expect(codeOf(await world.bootstrap.execute(token, wanted()))).toBe('bootstrap.refused');
  });

  it('founds nothing if it was never made, or is of another kind', async () => {
    const { enrolment } = await found();
    for (const other of [`${token}x`, enrolment.token, 'no token'])
      expect(codeOf(await world.bootstrap.execute(other, wanted('other')))).toBe('bootstrap.refused');
  });

  it('founds nothing if one character is mistyped', async () => {
    const mistyped = token.replace(/^cs_b_./, (start) => (start.endsWith('A') ? 'cs_b_B' : 'cs_b_A'));
    expect(codeOf(await world.bootstrap.execute(mistyped, wanted()))).toBe('bootstrap.refused');
    expect(codeOf(await world.bootstrap.execute(token, wanted()))).toBe('ok');
  });

  it('stays good if the name of the tenant is taken', async () => {
    await found();
    ({ token } = await world.issueBootstrap.execute());
    await expect(world.bootstrap.execute(token, wanted())).rejects.toMatchObject({
      failure: { code: 'tenant.slug_taken' },
    });
    expect(codeOf(await world.bootstrap.execute(token, wanted('other')))).toBe('ok');
  });
});

describe('a founded tenant', () => {
  it('has one person: a PlatformAdmin, with no author of the role', async () => {
    const { tenantId, personId } = await found();
    const tx = await inTenant(tenantId);
    const people = await world.people.list(tx, { afterId: null, limit: 10 }, { withoutIssuer: false });
    expect(people).toMatchObject([
      {
        ...wanted().admin,
        id: personId,
        enrolledAt: null,
        roles: [{ role: 'PlatformAdmin', assignedBy: null, assignedAt: world.uow.now }],
      },
    ]);
  });

  it('lets its admin in by the enrolment token, as its founder', async () => {
    const { tenantId, personId, enrolment } = await found();
    const { credential } = valueOf(
      await world.exchange.execute(enrolment.token, { name: 'laptop', scopes: ['admin'] }),
    );
    expect(credential).toMatchObject({ holder: { personId }, scopes: ['admin'] });
    const standings = await world.seats.standingOf(await inTenant(tenantId), [personId]);
    expect(standings.get(personId)).toMatchObject({ known: true, knownBy: [{ basis: 'founder' }] });
  });

  it('begins its audit log with its founding, without a token', async () => {
    const { tenantId, personId, enrolment } = await found();
    const entries = world.audit.of({ tenantId });
    expect(entries).toMatchObject([
      {
        action: 'tenant.founded',
        actor: { kind: 'system', display_name: 'bootstrap' },
        level: 'full',
        subject: { type: 'tenant', id: tenantId },
        payload: { slug: 'acme', name: 'Acme', first_admin: personId, email: 'ada@example.com' },
      },
    ]);
    for (const secret of [token, enrolment.token]) expect(JSON.stringify(entries)).not.toContain(secret);
    expect(world.audit.of({ tenantId: newId<TenantId>() })).toEqual([]);
  });
});
