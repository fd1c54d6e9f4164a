import type { DataSource } from 'typeorm';
import { JOB_NAMES, type JobName, type TenantId } from '#lib/kernel';

import type { DueJob, JobBacklog } from '../application/database.ports.js';

/** The jobs of one kind that a look leaves out. */
export interface HeldJobs {
  readonly name: JobName;
  readonly ids: readonly string[];
  readonly fullTenants: readonly TenantId[];
}

/** The function that finds due jobs: `run_advance_due` for `run.advance`. */
const functionOf = (name: JobName): string => `${name.replace('.', '_')}_due`;

/** The jobs of several kinds that are due now, at most `most` of each, over all tenants; one statement. */
export async function dueJobs(
  dataSource: Pick<DataSource, 'query'>,
  most: number,
  held: readonly HeldJobs[],
): Promise<readonly DueJob[]> {
  const looks = held.map(
    ({ name }, index) =>
      `(select '${name}' as name, tenant_id, id
          from ${functionOf(name)}(clock_timestamp(), $1, $${String(index * 2 + 2)}, $${String(index * 2 + 3)}))`,
  );
  const rows = await dataSource.query<{ name: JobName; tenant_id: TenantId; id: string }[]>(looks.join(' union all '), [
    most,
    ...held.flatMap(({ ids, fullTenants }) => [ids, fullTenants]),
  ]);
  return rows.map(({ name, tenant_id: tenantId, id }) => ({ name, tenantId, id }));
}

/** More than so many of one kind are not counted. A scrape stays cheap, and an operator has long been alarmed. */
const MAX_COUNTED = 1_000;
/** Ages that a backlog is measured by, in seconds: the functions name rows and tell nothing else of them. */
const AGES = [0, 1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400];

/** The due jobs not yet done, by kind; a kind without any is listed, too. */
export async function jobBacklog(dataSource: DataSource): Promise<readonly JobBacklog[]> {
  const counts = JOB_NAMES.flatMap((name) =>
    AGES.map(
      (age) =>
        `(select '${name}' as queue, ${String(age)} as age, count(*)::integer as waiting
            from ${functionOf(name)}(clock_timestamp() - interval '${String(age)} s', ${String(age === 0 ? MAX_COUNTED : 1)}, '{}', '{}'))`,
    ),
  );
  const rows = await dataSource.query<{ queue: JobName; age: number; waiting: number }[]>(counts.join(' union all '));
  return JOB_NAMES.map((queue) => {
    const found = rows.filter((row) => row.queue === queue && row.waiting > 0);
    return {
      queue,
      waiting: found.find(({ age }) => age === 0)?.waiting ?? 0,
      oldestSeconds: Math.max(0, ...found.map(({ age }) => age)),
    };
  });
}
