import { newId, ok, type Digest, type Principal, type Tx } from '#lib/kernel';
import { readMcpDefinition, type McpDefinition } from '#lib/mcp-client';
import type { ChangeCatalog, ExecutorId } from '#lib/tool';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Assignment } from '../domain/document-of-definition.js';
import { AcceptDefinition } from './accept-definition.js';
import { FakeMcpLooks } from './fake-mcp-looks.js';

const definition = (description: string): McpDefinition =>
  readMcpDefinition({ name: 'read', description, inputSchema: { type: 'object' } });
const [seen, moved] = [definition('Reads.'), definition('Sends.')];
const unusable = definition('Reads\u200B.');
const ASSIGNED: Assignment = { risk: 'read_only', idempotent: true, scope: 'asset' };
const CHANGED = ok({ outcome: 'waits', change: { id: newId() } });

/** A server, as the last look saw it. */
async function lookedWorld(...tools: readonly McpDefinition[]) {
  const { uow, home } = fakeWorld();
  const admin = { ...home.admin, scopes: ['read', 'admin'] } as const;
  const looks = new FakeMcpLooks(uow);
  const id = newId<ExecutorId>();
  const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  await within(async (tx) => {
    looks.add(tx, { id, environment: 'staging', name: 'ops', url: null, secret: null, onRunner: null });
    await looks.save(tx, id, { lookedAt: 1, problem: null, tools });
  });
  const put: Parameters<ChangeCatalog['execute']>[] = [];
  const accepting = new AcceptDefinition(uow, looks, {
    execute: (...given) => {
      put.push(given);
      return Promise.resolve(CHANGED as never);
    },
  });
  return {
    ...{ home, admin, put },
    accept: (by: Principal = admin, wanted: { readonly environment?: string; readonly tool?: string } = {}) =>
      accepting.execute(
        by,
        { environment: 'staging', server: 'ops', tool: 'read', digest: seen.digest ?? '', ...wanted },
        ASSIGNED,
      ),
    kept: (digest: Digest | null) => within(async (tx) => (await looks.kept(tx, [digest ?? ''])).size),
  };
}

describe('the definition of a tool of a server', () => {
  it('becomes a tool of the registry that is pinned to it, by a change of the catalog', async () => {
    const { accept, put, kept, admin } = await lookedWorld(seen);
    expect(await accept()).toEqual(CHANGED);
    const [[by, documents, options] = []] = put;
    expect([by, options]).toMatchObject([admin, { keep: 'others_stay', dryRun: false }]);
    expect([...(documents ?? [])]).toEqual([
      [
        'mcp:ops:read',
        expect.objectContaining({ ...ASSIGNED, executor: 'ops', mcp: { tool: 'read', digest: seen.digest } }),
      ],
    ]);
    expect(await kept(seen.digest)).toBe(1);
  });

  it.each<[string, readonly McpDefinition[], { environment?: string; tool?: string }, string]>([
    ['is another one than the person saw', [moved], {}, 'mcp.definition_moved'],
    ['is there twice', [seen, moved], {}, 'mcp.definition_moved'],
    ['cannot be judged', [unusable], {}, 'mcp.definition_unusable'],
    ['is not listed', [], {}, 'resource.not_found'],
    ['has another name', [seen], { tool: 'write' }, 'resource.not_found'],
    ['belongs to another environment', [seen], { environment: 'production' }, 'resource.not_found'],
  ])('T54: is refused if it %s', async (_how, tools, wanted, code) => {
    const { accept, admin, put, kept } = await lookedWorld(...tools);
    expect(await accept(admin, wanted)).toMatchObject({ ok: false, error: { code } });
    expect([put, await kept(seen.digest), await kept(moved.digest)]).toEqual([[], 0, 0]);
  });

  it.each<[string, (world: Awaited<ReturnType<typeof lookedWorld>>) => Principal, string]>([
    ['an agent', ({ home }) => home.agent, 'credential.person_required'],
    ['a token without the scope', ({ admin }) => ({ ...admin, scopes: ['read'] }), 'credential.scope_missing'],
    ['a person without the role', ({ admin }) => ({ ...admin, roles: [] }), 'identity.role_required'],
  ])('is not accepted by %s', async (_who, by, code) => {
    const world = await lookedWorld(seen);
    expect(await world.accept(by(world))).toMatchObject({ ok: false, error: { code } });
    expect([world.put, await world.kept(seen.digest)]).toEqual([[], 0]);
  });
});
