import { Writable } from 'node:stream';
import type { TestApi, TestTenant } from './api.js';
import { until } from './until.js';

/** As somebody writes it who knows the pattern and no key. */
export const FORGED_SEAL = `k1.${'A'.repeat(43)}`;

type Query = (text: string, values?: readonly unknown[]) => Promise<unknown>;

/** Acts with the login of countersign_app and nothing else: one transaction, as that tenant. */
export async function asTenant(
  api: TestApi,
  tenant: TestTenant,
  work: (query: Query) => Promise<unknown>,
): Promise<void> {
  const client = await api.db.app.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('app.tenant_id', $1, true)`, [tenant.id]);
    await work((text, values) => client.query(text, values === undefined ? [] : [...values]));
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** The log of a test's API, to be read. */
export interface Reports {
  readonly logTo: Writable;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

export function reportsOf(): Reports {
  const lines: Record<string, unknown>[] = [];
  const logTo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString('utf8').split('\n').filter(Boolean)) {
        lines.push(JSON.parse(line) as Record<string, unknown>);
      }
      done();
    },
  });
  return { logTo, lines };
}

/** The reports of a refused row: log lines, critical audit entries, and the metric of its table. */
export async function reportOf(
  api: TestApi,
  reports: Reports,
  table: string,
  id: string,
  tenant?: TestTenant,
): Promise<{ readonly logged: number; readonly audited: number; readonly counted: number }> {
  const entries = async (): Promise<number> => {
    const { rows } = await api.db.owner.query<{ count: string }>(
      `select count(*) from audit_entry
        where action = 'record.not_authentic' and level = 'critical' and subject_type = $1 and subject_id = $2`,
      [table, id],
    );
    return Number(rows[0]?.count ?? 0);
  };
  if (tenant !== undefined) await until(async () => (await entries()) > 0);
  const audited = await entries();
  const logged = reports.lines.filter((line) => line.table === table && line.id === id).length;
  const text = await api.metrics.registry.metrics();
  const counted = Number(
    new RegExp(`^countersign_broken_seals_total\\{table="${table}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0,
  );
  return { logged, audited, counted };
}
