import { Client } from 'pg';
import { newId, type TenantId } from '#lib/kernel';
import { openSourceCell } from '#lib/tenant-move';
import { testDatabase } from '../support/database.js';
import { TenantRows } from '../support/tenant-rows.js';

const ROWS = 200_000;
const TIMES = 3;
const WITHIN_MS = 300_000;

/** The comparison of a move freezes its tenant. Its time grows with the rows, and is measured against reading them as text. */
describe('the digests of a tenant that moves', () => {
  it(
    'take at most twice as long as reading its rows as text, and far less if they were digested ahead',
    async () => {
      const db = await testDatabase();
      // One process each: with more of them, work beside this test would count more than the rows.
      const url = new URL(db.adminUrl);
      url.searchParams.set('options', '-c max_parallel_workers_per_gather=0');
      const client = new Client({ connectionString: url.href });
      await client.connect();
      const cell = await openSourceCell(url.href);
      const tenant: TenantId = newId();
      await new TenantRows(db.uow, tenant).tenant();
      await db.owner.query(
        `insert into audit_entry (tenant_id, id, level, action, actor, subject_type, subject_id, within, evidence,
                                  payload_digest, salt, payload)
         select $1, gen_random_uuid(), 'basic', 'task.read', '{"kind": "person", "id": "ada", "display_name": "Ada", "credential_id": null, "on_behalf_of": null}', 'task', n::text, '[]', '[]',
                sha256(n::text::bytea), sha256(n::text::bytea), format('{"text":"%s"}', repeat(md5(n::text), 20))
           from generate_series(1, ${String(ROWS)}) n`,
        [tenant],
      );
      await db.owner.query('analyze audit_entry');
      const best = async (work: () => Promise<unknown>): Promise<number> => {
        const took: number[] = [];
        for (let time = 0; time < TIMES; time += 1) {
          const began = performance.now();
          await work();
          took.push(performance.now() - began);
        }
        return Math.min(...took);
      };
      const read = await best(() =>
        client.query('select sum(length(entry::text)) from audit_entry entry where tenant_id = $1', [tenant]),
      );
      const digested = await best(() => cell.digests(tenant, Buffer.alloc(32)));
      const salt = Buffer.alloc(32, 1);
      await cell.digestAhead(tenant, salt);
      const ahead = await best(() => cell.digests(tenant, salt));
      const seconds = (took: number): string => ((took / ROWS) * 1_000).toFixed(1);
      process.stdout.write(
        `${seconds(digested)} s a million entries, ${(digested / read).toFixed(2)} times reading them as text; ` +
          `${seconds(ahead)} s if they were digested ahead, ${(ahead / read).toFixed(2)} times\n`,
      );
      expect(digested / read).toBeLessThan(2);
      expect(ahead / digested).toBeLessThan(0.6);
      await cell.close();
      await client.end();
      await db.close();
    },
    WITHIN_MS,
  );
});
