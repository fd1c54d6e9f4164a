import type { ExecutorDocument } from '#lib/formats';
import { actorOf, type Principal } from '#lib/kernel';
import { executorDigest } from '../domain/executor-document.js';
import { FakeToolWorld } from './fake-tool-world.js';

const URL = 'https://tools.example.com/fleet';
const document = (members: Readonly<Record<string, string | boolean>> = {}): ExecutorDocument => ({
  kind: 'http',
  url: URL,
  ...members,
});
const TOKEN = { purpose: 'executor_token', environments: [], tools: [] } as const;

const put = (
  world: FakeToolWorld,
  wanted: ExecutorDocument = document(),
  environment = 'production',
  by: Principal = world.admin,
) => world.putting.execute(by, environment, 'fleet', wanted);
const standing = (world: FakeToolWorld, environmentName: 'production' | 'staging' = 'production') =>
  world.inTx((tx) => world.executors.list(tx, world.home[environmentName].id));

describe('registering an executor', () => {
  it('keeps its first version with the digest that approvals bind, and audits it', async () => {
    const world = new FakeToolWorld();
    const answer = await put(world);
    if (!answer.ok || answer.value.outcome !== 'done') throw new Error('it was not done');
    const content = {
      kind: 'http',
      url: URL,
      audience: 'fleet.production',
      sharedAudience: false,
      secret: null,
      settings: {},
    };
    const digest = executorDigest(world.home.production.id, 'fleet', content);
    const record = { ...content, id: answer.value.value.executor.id, name: 'fleet', version: 1, digest };
    expect(await standing(world)).toEqual([{ ...record, updatedAt: world.uow.now }]);
    const read = await world.reading.executor(world.admin, 'production', 'fleet');
    expect(read).toEqual({ ok: true, value: answer.value.value });
    expect(answer.value.alone).toBe(true);
    const to = { kind: 'http', url: URL, audience: 'fleet.production', shared_audience: false, secret: null, digest };
    expect(world.audited).toEqual([
      {
        action: 'executor.created',
        actor: actorOf(world.admin),
        level: 'full',
        subject: { type: 'executor', id: record.id },
        payload: { environment: 'production', name: 'fleet', from: null, to, guarded: false },
      },
    ]);
  });

  it('writes nothing if it stands so already', async () => {
    const world = new FakeToolWorld();
    await put(world);
    expect(await put(world)).toMatchObject({
      ok: true,
      value: { outcome: 'done', value: { executor: { version: 1 } } },
    });
    expect([(await standing(world)).length, world.audited.length, world.rule.movedIn(world.home).length]).toEqual([
      1, 1, 1,
    ]);
  });

  it('gives another address another version and digest, under the same id', async () => {
    const world = new FakeToolWorld();
    await put(world);
    const [first] = await standing(world);
    await put(world, document({ url: 'https://tools.example.com/moved' }));
    const [second] = await standing(world);
    expect(second).toMatchObject({ id: first?.id, version: 2, url: 'https://tools.example.com/moved' });
    expect(second?.digest).not.toBe(first?.digest);
    expect(world.audited.at(-1)).toMatchObject({
      action: 'executor.updated',
      subject: { id: first?.id },
      payload: { from: { url: URL, digest: first?.digest }, to: { digest: second?.digest } },
    });
  });

  it('is one executor with two versions if two ask at the same moment', async () => {
    const world = new FakeToolWorld();
    const answers = await Promise.all(['a', 'b'].map((path) => put(world, document({ url: `${URL}/${path}` }))));
    expect(answers).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await standing(world)).toMatchObject([{ version: 2 }]);
  });

  it('gives each environment an executor of its own', async () => {
    const world = new FakeToolWorld();
    await put(world);
    await put(world, { kind: 'agent' }, 'staging');
    const [production, staging] = [await standing(world), await standing(world, 'staging')];
    expect([production, staging]).toMatchObject([[{ kind: 'http', version: 1 }], [{ kind: 'agent', version: 1 }]]);
    expect(production[0]?.id).not.toBe(staging[0]?.id);
  });
});

describe('an executor is refused', () => {
  it.each<[string, ExecutorDocument, string, string]>([
    ['of an unknown kind', document({ kind: 'ftp' }), '/kind', 'executor.kind_unknown'],
    ['without an address', { kind: 'http' }, '/url', 'executor.url_required'],
    ['with a setting that its kind does not have', document({ queue: 'jobs' }), '/queue', 'executor.setting_unknown'],
    ['that names a secret that is not there', document({ secret: 'token@1' }), '/secret', 'executor.unknown_secret'],
  ])('%s', async (_what, wanted, pointer, code) => {
    const world = new FakeToolWorld();
    expect(await put(world, wanted)).toMatchObject({
      ok: false,
      error: { kind: 'unprocessable', code: 'executor.invalid', errors: [{ pointer, code }] },
    });
    expect([await standing(world), world.audited, world.waiting]).toEqual([[], [], []]);
  });

  it("at a host that the operator's rule refuses", async () => {
    const world = new FakeToolWorld();
    world.verdict = (host) => (host === 'tools.example.com' ? 'refused' : 'public');
    expect(await put(world)).toMatchObject({ error: { errors: [{ code: 'executor.address_refused' }] } });
    expect(await put(world, document({ url: 'https://other.example.com/' }))).toMatchObject({ ok: true });
  });

  it('if the secret is not for its token', async () => {
    const world = new FakeToolWorld();
    const refused = { ok: false, error: { errors: [{ pointer: '/secret', code: 'executor.secret_not_bound' }] } };
    const wanted = document({ secret: 'token@1' });
    for (const binding of [
      null,
      { ...TOKEN, executors: ['staging/fleet'] },
      { ...TOKEN, purpose: 'tool_arguments', executors: ['production/fleet'], tools: ['roll'] } as const,
    ]) {
      world.secrets.keep(world.home, 'token@1', binding);
      expect(await put(world, wanted)).toMatchObject(refused);
    }
    world.secrets.keep(world.home, 'token@1', { ...TOKEN, executors: ['production/fleet'] });
    expect(await put(world, wanted)).toMatchObject({ ok: true, value: { value: { executor: { secret: 'token@1' } } } });
  });

  it('if another environment has its audience, unless both share it', async () => {
    const world = new FakeToolWorld();
    await put(world, document({ audience: 'fleet' }));
    const shared = document({ audience: 'fleet', shared_audience: true });
    const refused = { ok: false, error: { errors: [{ pointer: '/audience', code: 'executor.audience_in_use' }] } };
    expect(await put(world, document({ audience: 'fleet' }), 'staging')).toMatchObject(refused);
    expect(await put(world, shared, 'staging')).toMatchObject(refused);
    await put(world, shared);
    expect(await put(world, shared, 'staging')).toMatchObject({ ok: true });
  });

  it('in an environment that is not there', async () => {
    const world = new FakeToolWorld();
    expect(await put(world, document(), 'nowhere')).toMatchObject({ error: { code: 'resource.not_found' } });
  });

  it('to all but admins', async () => {
    const world = new FakeToolWorld();
    const others: Principal[] = [
      world.home.agent,
      { ...world.admin, scopes: ['read'] },
      { ...world.home.owner, scopes: ['admin'] },
    ];
    for (const by of others)
      expect(await put(world, document(), 'production', by)).toMatchObject({ error: { kind: 'forbidden' } });
    expect([await standing(world), world.uow.committed]).toEqual([[], 1]);
  });
});

describe('an executor at another destination', () => {
  const moved = document({ url: 'https://tools.example.com/moved' });
  /** A tenant with the executor and a second admin. */
  const guarded = async (): Promise<FakeToolWorld> => {
    const world = new FakeToolWorld();
    await put(world);
    world.rule.secondAdmin = true;
    return world;
  };

  it('waits for a second person, and nothing is written', async () => {
    const world = await guarded();
    const [before] = await standing(world);
    expect(await put(world, moved)).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect(await standing(world)).toEqual([before]);
    expect(world.audited).toHaveLength(1);
    expect(world.waiting).toMatchObject([
      {
        kind: 'executor',
        subject: { type: 'executor', id: before?.id },
        what: 'The executor fleet of production',
        payload: { environment: 'production', name: 'fleet', document: moved },
        base: { digest: before?.digest },
        detail: { before: { url: URL }, after: { url: moved.url } },
      },
    ]);
    expect(world.waiting[0]?.loosens).toHaveLength(1);
  });

  it('counts once confirmed, in the name of its author', async () => {
    const world = await guarded();
    await put(world, moved);
    const save = jest.spyOn(world.executors, 'save');
    expect(await world.confirm(world.putting, world.waiting[0])).toMatchObject({
      ok: true,
      value: { outcome: 'done', value: { executor: { url: moved.url, version: 2 } }, alone: false },
    });
    expect(save.mock.lastCall?.[3]).toBe(world.admin.personId);
    expect(world.audited.at(-1)).toMatchObject({
      action: 'executor.updated',
      actor: actorOf(world.confirmer),
      payload: { requested_by: world.admin.personId, guarded: true },
    });
  });

  it("is checked against the operator's rule again when it is confirmed", async () => {
    const world = await guarded();
    await put(world, moved);
    world.verdict = () => 'refused';
    expect(await world.confirm(world.putting, world.waiting[0])).toMatchObject({
      ok: false,
      error: { code: 'executor.invalid', errors: [{ code: 'executor.address_refused' }] },
    });
    expect(await standing(world)).toMatchObject([{ url: URL }]);
  });

  it('is not written over another executor than it was asked for', async () => {
    const world = await guarded();
    await put(world, moved);
    const [asked] = world.waiting;
    world.rule.secondAdmin = false;
    await put(world, document({ url: 'https://tools.example.com/third' }));
    expect(await world.confirm(world.putting, asked)).toMatchObject({ error: { code: 'change.base_changed' } });
  });

  it('does not wait with another secret at the same destination', async () => {
    const world = await guarded();
    world.secrets.keep(world.home, 'token@1', { ...TOKEN, executors: ['production/fleet'] });
    expect(await put(world, document({ secret: 'token@1' }))).toMatchObject({ ok: true, value: { outcome: 'done' } });
    expect(await standing(world)).toMatchObject([{ secret: 'token@1', version: 2 }]);
  });

  it('waits no more once the executor changed, and waits on in other environments', async () => {
    const world = await guarded();
    await put(world, moved);
    await put(world, moved, 'staging');
    expect(world.waiting).toHaveLength(2);
    world.secrets.keep(world.home, 'token@1', { ...TOKEN, executors: ['production/fleet'] });
    await put(world, document({ secret: 'token@1' }));
    expect(world.waiting).toMatchObject([{ payload: { environment: 'staging' } }]);
    expect(world.rule.movedIn(world.home).at(-1)).toMatchObject({
      why: 'The executor fleet of production was changed meanwhile.',
    });
  });
});
