import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { auditedOf } from '../support/second-factors.js';

let api: TestApi;
let tenant: TestTenant;
let asAda: HttpAs;
beforeAll(async () => {
  api = await testApi();
}, 60_000);
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.tenant();
  asAda = api.http(tenant.admin.token);
});

interface Named {
  readonly id: string;
  readonly email: string;
  readonly name_note: string | null;
}

const outcome = ({ status, body }: Answer): unknown[] => [status, body?.code];

const added = async (email: string, display_name: string): Promise<Named> =>
  expectStatus(await asAda.post('/v1/people', { email, display_name }), 201).body as Named;

const seen = async (id: string, by = asAda): Promise<Named> =>
  expectStatus(await by.get(`/v1/people/${id}`), 200).body as Named;

const renamed = (id: string, display_name: string): Promise<Answer> =>
  asAda.patch(`/v1/people/${id}`, { display_name });

describe('T48: a name that imitates another', () => {
  it('is marked on both, for people and agents', async () => {
    const sam = await added('sam@acme.example', 'Sam');
    expect(sam.name_note).toBeNull();
    const again = await added('sam2@acme.example', 'sam');
    expect(again.name_note).toBe('another person has this name');
    expect((await seen(sam.id)).name_note).toBe('another person has this name');
    const lea = await added('lea@acme.example', 'Lea');
    await added('lea2@acme.example', 'L\u0435a');
    expect((await seen(lea.id)).name_note).toBe('another person has a name that looks like this one');
    const noor = await added('noor@acme.example', 'Noor');
    const agent = expectStatus(await asAda.post('/v1/agents', { name: 'n00r', owner_id: tenant.admin.id }), 201)
      .body as Named;
    expect(agent.name_note).toBe('a person has a name that looks like this one');
    expect((await seen(noor.id)).name_note).toBe('an agent has a name that looks like this one');
  });

  it('is marked if a title follows it', async () => {
    await added('lea3@acme.example', 'Lea');
    for (const name of ['Lea (SRE lead)', 'L\u0435a, on call', 'LEA \u2013 approver'])
      expect(
        expectStatus(await asAda.post('/v1/agents', { name, owner_id: tenant.admin.id }), 201).body as Named,
      ).toMatchObject({ name_note: 'a person has a name that looks like this one' });
    expect((await added('lea4@acme.example', 'Lea [admin]')).name_note).toContain(
      'another person has a name that looks like this one',
    );
    const other = await asAda.post('/v1/agents', { name: 'Leander (web)', owner_id: tenant.admin.id });
    expect((expectStatus(other, 201).body as Named).name_note).toBeNull();
  });

  it('is marked in a change, with the address, for its confirming person', async () => {
    const email = `imitates@${tenant.slug}.example.com`;
    await api.person(tenant, 'PlatformAdmin');
    const { display_name } = await (async () => (await seen(tenant.admin.id)) as unknown as { display_name: string })();
    await added(email, display_name);
    const waiting = expectStatus(
      await asAda.post(`/v1/people/${(await added('x@acme.example', 'X')).id}/roles`, { role: 'SRELead' }),
      202,
    ).body as { id: string };
    const change = expectStatus(await asAda.get(`/v1/change-requests/${waiting.id}`), 200).body as unknown as {
      requested_by: { display_name: string };
    };
    const { email: own } = await seen(tenant.admin.id);
    expect(change.requested_by.display_name).toBe(`${display_name} (another person has this name; ${own})`);
  });

  it('is marked in every sentence of a change that names somebody', async () => {
    await api.person(tenant, 'PlatformAdmin');
    const sam = await added('sam@acme.example', 'Sam');
    const [twin, address] = [await added('twin@acme.example', 'Sam'), 'twin@acme.example'];
    const marked = `Sam (another person has this name; ${address})`;
    const about = `Sam (another person has this name) <${address}>`;
    const waiting = async (answer: Promise<Answer>) => {
      const { id } = expectStatus(await answer, 202).body as { id: string };
      const { what, loosens } = expectStatus(await asAda.get(`/v1/change-requests/${id}`), 200).body as unknown as {
        what: string;
        loosens: string[];
      };
      return { what, loosens: loosens.join('; ') };
    };
    expect(await waiting(asAda.post(`/v1/people/${twin.id}/roles`, { role: 'SRELead' }))).toEqual({
      what: `The role SRELead for ${about}`,
      loosens: expect.stringContaining(`${marked}, who has not enrolled yet,`),
    });
    expect(await waiting(asAda.post(`/v1/people/${twin.id}/enrolment`))).toEqual({
      what: expect.stringContaining(`An invitation for ${about}`),
      loosens: `anybody with the token becomes ${marked}, who holds SRELead`,
    });
    expect(
      await waiting(asAda.post(`/v1/people/${twin.id}/factors/reset`, { reason: 'They lost their telephone.' })),
    ).toEqual({
      what: `Every second factor of ${about} is taken away`,
      loosens: expect.stringContaining(`a credential of ${marked} can`),
    });
    const agent = expectStatus(await asAda.post('/v1/agents', { name: 'sam', owner_id: twin.id }), 201).body as Named;
    const named = 'sam (a person has this name)';
    expect(await waiting(asAda.patch(`/v1/agents/${agent.id}`, { owner_id: tenant.admin.id }))).toEqual({
      what: `The agent ${named}, for which Sam (another person has this name; an agent has this name; ${address}) answers`,
      loosens: expect.stringContaining(`no longer answers for ${named}`),
    });
    expect(sam.email).not.toBe(twin.email);
  });

  it('is not taken by renaming, and another name shows its former one for a week', async () => {
    const sam = await added('sam@acme.example', 'Sam');
    const dev = await added('dev@acme.example', 'Dev');
    const agent = expectStatus(await asAda.post('/v1/agents', { name: 'drift-bot', owner_id: tenant.admin.id }), 201)
      .body as Named;
    for (const taken of ['Sam', 'sаm', 'Drift Bot'])
      expect(outcome(await renamed(dev.id, taken))).toEqual([409, 'person.name_taken']);
    expect(outcome(await asAda.patch(`/v1/agents/${agent.id}`, { name: 'sam' }))).toEqual([409, 'person.name_taken']);
    expectStatus(await renamed(sam.id, 'SAM'), 200);

    expectStatus(await renamed(dev.id, 'Devi'), 200);
    expectStatus(await renamed(dev.id, 'Samira'), 200);
    expect((await seen(dev.id)).name_note).toBe('renamed less than a day ago, was Dev');
    expect(await auditedOf(api, 'person.changed', tenant.admin.id)).toContainEqual(
      expect.objectContaining({ display_name: 'Samira', renamed_from: 'Devi' }),
    );
    const ago = async (days: number): Promise<string | null> => {
      await api.db.owner.query('alter table person disable trigger person_keep_former_name');
      await api.db.owner.query(
        'update person set renamed_at = clock_timestamp() - make_interval(days => $2) where id = $1',
        [dev.id, days],
      );
      await api.db.owner.query('alter table person enable trigger person_keep_former_name');
      return (await seen(dev.id)).name_note;
    };
    expect(await ago(2)).toBe('renamed 2 days ago, was Dev');
    expect(await ago(8)).toBeNull();
  });

  it('shows an agent no address', async () => {
    const owner = await api.person(tenant);
    const one = await added('sam@acme.example', 'Sam');
    await added('sam2@acme.example', 'Sam');
    const agent = await api.agent(tenant, owner);
    const read = await seen(one.id, api.http(await api.delegation(agent, owner, 'read')));
    expect(read).toMatchObject({ email: null, name_note: 'another person has this name' });
  });
});
