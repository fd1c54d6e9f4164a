import type { JsonObject } from '#lib/canonical';
import { newId, type Tx } from '#lib/kernel';
import { readMcpDefinition } from '#lib/mcp-client';
import type { ExecutorId } from '#lib/tool';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { McpLooks, McpServerRecord } from './mcp-upstream.ports.js';

const read = readMcpDefinition({ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } });
const ill = readMcpDefinition({ name: 'ill', description: 'x\u200B', inputSchema: { type: 'object' } });
const definition = read.definition ?? {};
const digest = read.digest ?? ('' as never);

/** The contract of the store of looks at MCP servers, and of the definitions that people accepted. */
export function describeMcpLooks(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly looks: McpLooks;
    /** Puts the executor that is the server, in the environment `staging` or `production` of the home tenant. */
    readonly added: (server: McpServerRecord) => Promise<void>;
  }>,
): void {
  describe(`${name} keeps the contract of McpLooks`, () => {
    let world: ContractWorld;
    let looks: McpLooks;
    let added: (server: McpServerRecord) => Promise<void>;
    const server = (changes: Partial<McpServerRecord>): McpServerRecord => ({
      ...{ id: newId<ExecutorId>(), environment: 'staging', name: 'ops' },
      ...{ url: 'https://mcp.example.com/mcp', secret: 'token@1', onRunner: null },
      ...changes,
    });
    const ops = server({});
    const inProduction = server({ environment: 'production', secret: null });
    const files = server({
      ...{ name: 'files', url: null, secret: null },
      onRunner: { pool: 'builders', server: 'shared-files' },
    });
    beforeAll(async () => {
      ({ world, looks, added } = await open());
      for (const each of [ops, inProduction, files]) await added(each);
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);

    it('has each server by environment and name, for its tenant alone', async () => {
      const never = { lookedAt: null, problem: null, tools: [] };
      expect(await atHome((tx) => looks.all(tx))).toEqual(
        [inProduction, files, ops].map((each) => ({ server: each, look: never })),
      );
      expect(await atHome((tx) => looks.named(tx, 'staging', 'files'))).toEqual({ server: files, look: never });
      expect(await atHome((tx) => looks.lock(tx, inProduction.id))).toEqual({ server: inProduction, look: never });
      expect(await atHome((tx) => looks.named(tx, 'production', 'files'))).toBeNull();
      expect(await atHome((tx) => looks.lock(tx, newId<ExecutorId>()))).toBeNull();
      expect(await elsewhere((tx) => looks.all(tx))).toEqual([]);
      expect(await elsewhere((tx) => looks.named(tx, 'staging', 'ops'))).toBeNull();
      expect(await elsewhere((tx) => looks.lock(tx, ops.id))).toBeNull();
    });

    it('keeps the last look at a server, and puts the next one off', async () => {
      const at = await atHome((tx) => tx.now());
      const look = { lookedAt: at, problem: 'It was late.', tools: [read, ill] };
      await atHome((tx) => looks.putOff(tx, ops.id, at + 60_000));
      await atHome((tx) => looks.save(tx, ops.id, look));
      expect(await atHome((tx) => looks.named(tx, 'staging', 'ops'))).toEqual({ server: ops, look });
      await elsewhere((tx) => looks.save(tx, ops.id, { ...look, tools: [] }));
      expect(await atHome((tx) => looks.lock(tx, ops.id))).toMatchObject({ look });
      expect(await atHome((tx) => looks.named(tx, 'staging', 'files'))).toMatchObject({ look: { lookedAt: null } });
    });

    it('keeps a definition for good, once, and for its tenant alone', async () => {
      const at = await atHome((tx) => tx.now());
      const other: JsonObject = { ...definition, description: 'Sends.' };
      await atHome((tx) => looks.keep(tx, digest, definition, at));
      await atHome((tx) => looks.keep(tx, digest, other, at + 1));
      const wanted = [digest, `sha256:${'0'.repeat(64)}`];
      expect(await atHome((tx) => looks.kept(tx, wanted))).toEqual(new Map([[digest, definition]]));
      expect(await atHome((tx) => looks.kept(tx, []))).toEqual(new Map());
      expect(await elsewhere((tx) => looks.kept(tx, wanted))).toEqual(new Map());
    });
  });
}
