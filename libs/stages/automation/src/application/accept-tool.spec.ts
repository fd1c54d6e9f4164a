import { ok, type Principal, type Tx } from '#lib/kernel';
import type { ToolVersion } from '#lib/tool';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule, sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { createAutomations } from '../create-automations.js';
import { FakeSafeToolRepository, sampleSafeTool } from './fake-safe-tool.repository.js';

const restart = (version = 1): ToolVersion =>
  sampleTool('restart', { effect: 'modify', risk: 'state_change_nonprod' }, version);

/** The list of safe tools of a tenant. @param secondAdmin whether a second person could confirm an entry. */
function listWorld(secondAdmin: boolean) {
  const { uow, home } = fakeWorld();
  const admin = { ...home.admin, scopes: ['read', 'admin'], reason: 'It is tried.' } as const;
  const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
  const entries = new FakeSafeToolRepository(uow);
  const audit = new FakeAuditSink(uow);
  const rule = new FakeTwoPersonRule(uow, secondAdmin);
  const registry = new Map([['restart', restart()]]);
  const taken: object[] = [];
  const { acceptTool: accepting, removeSafeTool: removing } = createAutomations({
    ...{ uow, audit, twoPersonRule: rule, jobs: unasked(), outbox: unasked(), following: unasked() },
    rows: {
      ...{ safeTools: entries, automations: unasked(), runs: unasked(), secrets: unasked(), recipients: unasked() },
      ...{ enclosing: unasked(), isSigned: () => false },
    },
    ...{ events: () => [], past: unasked(), policy: unasked(), autonomy: unasked(), environments: unasked() },
    ...{ halts: unasked(), executors: unasked(), mintCredential: unasked() },
    tools: unasked({ resolve: (_tx: Tx, name: string) => Promise.resolve(registry.get(name) ?? null) }),
    directory: { people: unasked(), agents: unasked(), credentials: unasked() },
    toolCall: {
      ...{ judgeAutomationCall: unasked(), makeAutomationCall: unasked(), callEnds: unasked() },
      takeBackAutomationCalls: { execute: (_tx, of) => Promise.resolve(void taken.push(of)) },
    },
  });
  const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  return {
    ...{ home, admin, confirmer, rule, registry, taken },
    accept: (version = 1, by: Principal = admin, tool = 'restart') => accepting.execute(by, { tool, version }),
    /** The second person confirms the change request. */
    confirm: () => {
      const [waiting] = rule.waitingIn(home);
      if (waiting === undefined) throw new Error('no change waits');
      const confirmed = sampleConfirmation(waiting, admin, confirmer);
      return within((tx) => accepting.carryOut(tx, confirmed, accepting.payload.parse(waiting.payload)));
    },
    remove: (by: Principal = admin, tool = 'restart') => removing.execute(by, tool),
    forge: () => within((tx) => entries.forge(tx, sampleSafeTool(home, 'restart'))),
    waiting: () => rule.waitingIn(home),
    list: () => within((tx) => entries.list(tx)),
    actions: () => audit.of(home).map(({ action }) => action),
    entry: () => audit.of(home).at(-1),
  };
}

const notAdmins: [string, (world: ReturnType<typeof listWorld>) => Principal, string][] = [
  ['an agent', ({ home }) => home.agent, 'credential.person_required'],
  ['a token without the scope', ({ admin }) => ({ ...admin, scopes: ['read'] }), 'credential.scope_missing'],
  ['a person without the role', ({ admin }) => ({ ...admin, roles: [] }), 'identity.role_required'],
];

describe('a tool that an admin puts on the list of safe tools', () => {
  it('waits for a second person, and is not on it until then', async () => {
    const { accept, confirm, waiting, list, actions, entry, admin, confirmer } = listWorld(true);
    expect(await accept()).toMatchObject(ok({ outcome: 'waits' }));
    expect(waiting()).toMatchObject([
      { kind: 'automation_safe_tool', subject: { id: 'restart' }, loosens: [expect.stringContaining('version 1')] },
    ]);
    expect([await list(), actions()]).toEqual([[], []]);
    expect(await confirm()).toMatchObject(ok({ outcome: 'done' }));
    expect(await list()).toMatchObject([{ tool: 'restart', version: 1, addedBy: admin.personId }]);
    expect(entry()).toMatchObject({
      ...{ action: 'automation_safe_tool.added', actor: { id: confirmer.personId } },
      payload: { requested_by: admin.personId, guarded: true },
    });
  });

  it('is on it at once if nobody else could confirm it', async () => {
    const { accept, list, entry } = listWorld(false);
    expect(await accept()).toMatchObject(ok({ outcome: 'done', alone: true }));
    expect(await list()).toMatchObject([{ tool: 'restart', version: 1 }]);
    expect(entry()).toMatchObject({ payload: { guarded: false } });
  });

  it('takes the place of its earlier version, and waits again for that', async () => {
    const { accept, confirm, list, rule, registry } = listWorld(false);
    await accept();
    rule.secondAdmin = true;
    registry.set(
      'restart',
      sampleTool('restart', { effect: 'modify', risk: 'state_change_nonprod', description: 'More.' }, 2),
    );
    expect(await accept(2)).toMatchObject(ok({ outcome: 'waits' }));
    expect(await list()).toMatchObject([{ version: 1 }]);
    await confirm();
    expect(await list()).toMatchObject([{ version: 2 }]);
  });

  it('stays as it is if the list has it', async () => {
    const { accept, rule, waiting, actions } = listWorld(false);
    await accept();
    rule.secondAdmin = true;
    expect(await accept()).toMatchObject(ok({ outcome: 'done', alone: false, value: { version: 1 } }));
    expect([waiting(), actions()]).toEqual([[], ['automation_safe_tool.added']]);
  });

  it('is refused if another version counts, also once it is confirmed', async () => {
    const { accept, confirm, list, registry } = listWorld(true);
    expect(await accept(2)).toMatchObject({ ok: false, error: { code: 'automation.other_version' } });
    await accept();
    registry.set('restart', restart(2));
    expect(await confirm()).toMatchObject({ ok: false, error: { code: 'automation.other_version' } });
    expect(await list()).toEqual([]);
  });

  it.each([
    ['only reads', { effect: 'read', risk: 'read_only' }],
    ['changes production', { effect: 'modify', risk: 'state_change_prod' }],
    ['destroys', { effect: 'destructive', risk: 'state_change_prod' }],
  ] as const)('is refused if it %s', async (_how, document) => {
    const { accept, registry, waiting } = listWorld(true);
    registry.set('restart', sampleTool('restart', document));
    expect(await accept()).toMatchObject({ ok: false, error: { code: 'automation.not_listable' } });
    expect(waiting()).toEqual([]);
  });

  it('is refused if the registry does not have it', async () => {
    const { accept, admin } = listWorld(true);
    expect(await accept(1, admin, 'gone')).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
  });

  it('ends an entry that Countersign did not write, and says so', async () => {
    const { accept, forge, list, actions } = listWorld(false);
    await forge();
    expect(await list()).toEqual([]);
    await accept();
    expect(await list()).toHaveLength(1);
    expect(actions()).toEqual(['automation_safe_tool.forgery_removed', 'automation_safe_tool.added']);
  });

  it.each(notAdmins)('is refused to %s', async (_who, by, code) => {
    const world = listWorld(true);
    expect(await world.accept(1, by(world))).toMatchObject({ ok: false, error: { code } });
    expect(world.waiting()).toEqual([]);
  });
});

describe('a tool that an admin takes off the list', () => {
  it('is off at once, with the calls of automations that have not left', async () => {
    const { accept, remove, rule, list, taken, entry } = listWorld(false);
    await accept();
    rule.secondAdmin = true;
    expect(await remove()).toEqual(ok(undefined));
    expect([await list(), taken]).toEqual([[], [{ kind: 'tool', tool: 'restart' }]]);
    expect(entry()).toMatchObject({ action: 'automation_safe_tool.removed', payload: { tool: 'restart', version: 1 } });
    expect(await remove()).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
  });

  it('loses an entry that Countersign did not write, too', async () => {
    const { forge, remove, actions } = listWorld(false);
    await forge();
    expect(await remove()).toEqual(ok(undefined));
    expect(actions()).toEqual(['automation_safe_tool.forgery_removed']);
    expect(await remove()).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
  });

  it.each(notAdmins)('stays on it for %s', async (_who, by, code) => {
    const world = listWorld(false);
    await world.accept();
    expect(await world.remove(by(world))).toMatchObject({ ok: false, error: { code } });
    expect([await world.list(), world.taken]).toMatchObject([[{ tool: 'restart' }], []]);
  });
});
