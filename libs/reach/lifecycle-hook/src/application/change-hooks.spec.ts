import { ok, type PersonPrincipal } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule, sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { revisionOf, yamlOf } from '../domain/hook-document.js';
import type { HookSettings } from '../domain/lifecycle-hook.js';
import { ChangeHooks } from './change-hooks.js';
import { FakeHookExecutions, sampleExecution } from './fake-hook-executions.js';
import { FakeHooks } from './fake-hooks.js';

const hook = (name: string, more: Partial<HookSettings> = {}): HookSettings => ({
  ...{ name, event: 'run.failed', matcher: '*', enabled: true, action: { type: 'log', message: 'failed' } },
  ...more,
});
const command = (name: string, program = 'notify', more: Partial<HookSettings> = {}): HookSettings =>
  hook(name, {
    action: {
      ...{ type: 'command', program, arguments: [], variables: {}, timeoutSeconds: 30 },
      ...{ pool: 'builders', environment: 'staging' },
    },
    ...more,
  });

/** The hooks of a tenant. @param secondAdmin whether a second person could confirm a change of them. */
function hookWorld(secondAdmin: boolean) {
  const { uow, home } = fakeWorld();
  const author: PersonPrincipal = { ...home.admin, reason: 'Tell the team.' };
  const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
  const [hooks, executions] = [new FakeHooks(uow), new FakeHookExecutions(uow)];
  const audit = new FakeAuditSink(uow);
  const rule = new FakeTwoPersonRule(uow, secondAdmin);
  const followers = new Set<string>();
  const changing = new ChangeHooks(uow, {
    ...{ hooks, executions, audit, twoPersonRule: rule },
    following: {
      begin: (_tx, follower) => Promise.resolve(void followers.add(follower)),
      end: (_tx, follower) => Promise.resolve(void followers.delete(follower)),
    },
  });
  const all = () => uow.run(home.tenantId, (tx) => hooks.all(tx));
  return {
    ...{ rule, followers, author, confirmer, changing },
    put: (wanted: readonly HookSettings[], requireCurrent: (revision: string) => void = () => undefined) =>
      changing.put(author, yamlOf(wanted), requireCurrent),
    switch: (name: string, enabled: boolean) => changing.switch(author, name, enabled),
    /** The second person confirms the change request. */
    confirm: () => {
      const [waiting] = rule.waitingIn(home);
      if (waiting === undefined) throw new Error('no change waits');
      const confirmed = sampleConfirmation(waiting, author, confirmer);
      return uow.run(home.tenantId, (tx) => changing.carryOut(tx, confirmed, changing.payload.parse(waiting.payload)));
    },
    waiting: () => rule.waitingIn(home),
    all,
    names: async () => (await all()).map(({ name, enabled }) => `${name} ${enabled ? 'on' : 'off'}`),
    /** A run has failed: the hook of this name waits for a runner. */
    wait: async (name: string) => {
      const found = (await all()).find((each) => each.name === name);
      if (found === undefined) throw new Error(`no hook ${name}`);
      const execution = sampleExecution({ hook: name, hookId: found.id });
      await uow.run(home.tenantId, (tx) => executions.write(tx, [execution]));
    },
    states: async () => {
      const kept = await uow.run(home.tenantId, (tx) => executions.list(tx, {}, { limit: 9, after: null }));
      return Object.fromEntries(kept.map(({ hook: name, state }) => [name, state]));
    },
    faults: async () => {
      const kept = await uow.run(home.tenantId, (tx) => executions.list(tx, {}, { limit: 9, after: null }));
      return Object.fromEntries(kept.map(({ hook: name, fault }) => [name, fault?.code]));
    },
    entries: () => audit.of(home),
  };
}

describe('a command hook', () => {
  it.each<[string, readonly HookSettings[], readonly HookSettings[]]>([
    ['is new', [], [command('one')]],
    ['has another program', [command('one')], [command('one', 'deploy')]],
    ['has another event', [command('one')], [command('one', 'notify', { event: 'run.*' })]],
    ['is on again', [command('one', 'notify', { enabled: false })], [command('one')]],
  ])('that %s waits for a second person, and is not in force until then', async (_how, before, after) => {
    const { put, confirm, rule, waiting, all, author, confirmer, entries } = hookWorld(false);
    await put(before);
    rule.secondAdmin = true;
    const stood = await all();
    expect(await put(after)).toMatchObject(ok({ outcome: 'waits' }));
    expect(await all()).toEqual(stood);
    expect(waiting()).toMatchObject([{ kind: 'lifecycle_hook', loosens: [expect.stringMatching(/^one executes /)] }]);
    expect(await confirm()).toMatchObject(ok({ outcome: 'done' }));
    expect(await all()).toMatchObject(after.map((each) => ({ ...each, createdBy: author.personId })));
    expect(entries().at(-1)).toMatchObject({
      ...{ action: 'lifecycle_hook.changed', actor: { id: confirmer.personId } },
      payload: { requested_by: author.personId, guarded: true, after: waiting()[0]?.payload ?? {} },
    });
  });

  it('is in force at once if nobody else could confirm it', async () => {
    const { put, names, entries } = hookWorld(false);
    expect(await put([command('one')])).toMatchObject(ok({ outcome: 'done', alone: true }));
    expect(await names()).toEqual(['one on']);
    expect(entries()).toMatchObject([{ action: 'lifecycle_hook.changed', payload: { guarded: false } }]);
  });

  it('that is switched on waits, and is off at once', async () => {
    const world = hookWorld(false);
    await world.put([command('one'), hook('two')]);
    world.rule.secondAdmin = true;
    expect(await world.switch('one', false)).toMatchObject(ok({ outcome: 'done', value: { enabled: false } }));
    expect(await world.names()).toEqual(['one off', 'two on']);
    expect(await world.switch('one', true)).toMatchObject(ok({ outcome: 'waits' }));
    expect(await world.names()).toEqual(['one off', 'two on']);
    expect(await world.switch('three', true)).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
  });
});

describe('hooks that only write entries, are removed, or are off', () => {
  it.each<[string, readonly HookSettings[]]>([
    ['a further log', [command('one'), hook('two')]],
    ['none', []],
    ['a command that is off', [command('one'), command('two', 'deploy', { enabled: false })]],
    ['the same', [command('one')]],
  ])('are in force at once: %s', async (_what, after) => {
    const { put, rule, all, waiting } = hookWorld(false);
    await put([command('one')]);
    rule.secondAdmin = true;
    expect(await put(after)).toMatchObject(ok({ outcome: 'done' }));
    expect(await all()).toMatchObject(after.map((each, position) => ({ ...each, position })));
    expect(waiting()).toEqual([]);
  });

  it('are checked without a change', async () => {
    const { put, all, changing, author, entries } = hookWorld(true);
    await put([hook('one')]);
    const stood = await all();
    const [wanted, before] = [yamlOf([hook('one'), command('two')]), entries().length];
    expect(await changing.validate(author, wanted)).toEqual(ok([expect.stringMatching(/^two executes notify/)]));
    expect(await changing.validate(author, 'hooks: 1')).toMatchObject({ ok: false });
    expect([await all(), entries().length]).toEqual([stood, before]);
  });
});

describe('a change of hooks', () => {
  it('keeps the identity and the author of a hook that stays as it is, and of no other', async () => {
    const { put, all } = hookWorld(false);
    await put([hook('one'), hook('two')]);
    const [one, two] = await all();
    await put([hook('two', { event: 'run.*' }), hook('one')]);
    const [changed, kept] = await all();
    expect(kept).toEqual({ ...one, position: 1 });
    expect(changed?.id).not.toBe(two?.id);
  });

  it('ends the executions that wait for a hook which is removed, changed or off, and no other', async () => {
    const world = hookWorld(false);
    const on = ['removed', 'changed', 'off', 'kept'].map((name) => command(name));
    await world.put(on);
    for (const { name } of on) await world.wait(name);
    await world.put([command('changed', 'deploy'), command('off', 'notify', { enabled: false }), command('kept')]);
    expect(await world.states()).toEqual({ removed: 'expired', changed: 'expired', off: 'expired', kept: 'pending' });
    const code = 'lifecycle_hook.switched_off';
    expect(await world.faults()).toEqual({ removed: code, changed: code, off: code, kept: undefined });
  });

  it('follows the log while a hook is on', async () => {
    const { put, followers } = hookWorld(false);
    await put([hook('one'), hook('two', { enabled: false })]);
    expect([...followers]).toEqual(['lifecycle_hook']);
    await put([hook('two', { enabled: false })]);
    expect([...followers]).toEqual([]);
  });

  it('is refused if the person read other hooks', async () => {
    const { put, all } = hookWorld(false);
    await put([hook('one')]);
    const stood = await all();
    const seen: string[] = [];
    const refuse = (revision: string) => {
      seen.push(revision);
      throw new Error('they read other hooks');
    };
    await expect(put([], refuse)).rejects.toThrow('they read other hooks');
    expect([seen, await all()]).toEqual([[revisionOf([hook('one')])], stood]);
  });

  it('is void once the hooks were changed while it waited', async () => {
    const { put, waiting } = hookWorld(true);
    await put([command('one')]);
    await put([command('one')]);
    expect(waiting()).toHaveLength(2);
    await put([hook('two')]);
    expect(waiting()).toEqual([]);
  });

  it('is refused if its document cannot be read', async () => {
    const { changing, author, all } = hookWorld(false);
    expect(await changing.put(author, 'hooks: 1', () => undefined)).toMatchObject({ ok: false });
    expect(await all()).toEqual([]);
  });
});
