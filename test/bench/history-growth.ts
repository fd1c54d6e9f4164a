import { join } from 'node:path';
import { auditLog, type AuditLog } from '#lib/audit';
import { openDataSource, sqlOf, TypeormSystemQuery, TypeormUnitOfWork } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import { newId, type AuditEntryId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { openKeyring } from '#lib/tenancy';
import { entryLeafHash, verifyInclusion } from '#lib/verifier';
import { onBenchDatabase } from './bench-database.js';
import { figureOf, type Figure } from './figure.js';
import { spreadOf, timeOf } from './percentile.js';

const ROUNDS = 7;
const CALLS = 400;
const WARM_UP = 200;
const SHORT = 1_000;
const LONG = 1_000_000;
const PAGE = 50;
const SAMPLED = 500;

/**
 * `history-growth`: p99 of appending an entry, of reading a page (of a moment anywhere in the log, and of a plan), and of
 * an entry with its proof, in a log of 10^6 entries over one of 10^3. Each log is in a PostgreSQL of its own that commits
 * durably, and the calls are made in turn. Every proof is verified, every page is counted.
 */
export async function historyGrowth(): Promise<readonly Figure[]> {
  const long = await history(LONG);
  try {
    const short = await history(SHORT);
    try {
      return [
        await measure('append', long.append, short.append),
        await measure('list', long.list, short.list),
        await measure('proof', long.prove, short.prove),
      ];
    } finally {
      await short.stop();
    }
  } finally {
    await long.stop();
  }
}

type Call = () => Promise<void>;

async function measure(name: string, long: Call, short: Call): Promise<Figure> {
  for (let call = 0; call < WARM_UP; call += 1) {
    await long();
    await short();
  }
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b]: [number[], number[]] = [[], []];
    for (let call = 0; call < CALLS; call += 1) {
      a.push(await timeOf(long));
      b.push(await timeOf(short));
    }
    ratios.push(spreadOf(a).p99 / spreadOf(b).p99);
  }
  return figureOf(`history-growth/${name}`, ratios);
}

interface History {
  readonly append: Call;
  readonly list: Call;
  readonly prove: Call;
  stop(): Promise<void>;
}

/** A log of one tenant with this many entries, all of them sequenced and signed. */
const history = (entries: number): Promise<History> =>
  onBenchDatabase(async ({ directory, url, stop }, started) => {
    const dataSource = await openDataSource({
      url,
      poolSize: 2,
      applicationName: 'countersign-bench',
      entities: ENTITIES,
    });
    started(() => dataSource.destroy());
    const unitOfWork = new TypeormUnitOfWork(dataSource, { statementMs: 600_000, lockMs: 5_000, idleMs: 30_000 });
    const log = auditLog({
      unitOfWork,
      systemQuery: new TypeormSystemQuery(dataSource),
      keyDirectory: join(directory, 'keys'),
      keyring: await openKeyring({}, directory),
    });
    const tenantId = newId<TenantId>();
    await fill(unitOfWork, tenantId, entries);
    while ((await log.sequence.execute(tenantId)).more);
    await dataSource.query('analyze');
    return { ...(await callsOf(unitOfWork, log, tenantId)), stop };
  });

/** Entries of plans with fifty each, by a thousand agents, without waiting for each. */
async function fill(unitOfWork: UnitOfWork, tenantId: TenantId, entries: number): Promise<void> {
  await unitOfWork.run(tenantId, (tx) =>
    sqlOf(tx).execute(
      `with entry as (
         insert into audit_entry (tenant_id, id, level, action, actor, subject_type, subject_id, within, evidence,
                                  payload_digest, occurred_at)
         select $1, uuidv7(), 'full', (array['plan.submitted', 'review.submitted', 'run.step_dispatched'])[1 + n % 3],
                jsonb_build_object('kind', 'agent', 'id', md5('agent' || n % 1000)::uuid, 'display_name', 'drift-bot',
                                   'credential_id', null, 'on_behalf_of', null),
                'plan', plan, jsonb_build_array(jsonb_build_object('type', 'plan', 'id', plan)), '[]',
                sha256('payload'), date_trunc('milliseconds', now()) - ($2 - n) * interval '1 second'
           from generate_series(0, $2::integer - 1) n, lateral (select md5('plan' || n / ${String(PAGE)})::uuid as plan) its
         returning id
       )
       insert into audit_payload (tenant_id, entry_id, salt, payload)
       select $1, id, sha256('salt'), '{"tool":"query_assets@1","outcome":"allow"}' from entry`,
      [tenantId, entries],
    ),
  );
}

interface Sample {
  readonly id: AuditEntryId;
  readonly plan_id: string;
  readonly occurred_at: Date;
}

async function callsOf(unitOfWork: UnitOfWork, log: AuditLog, tenantId: TenantId): Promise<Omit<History, 'stop'>> {
  // None of the oldest, so that each has a whole page behind it.
  const samples = await unitOfWork.run(tenantId, (tx) =>
    sqlOf(tx).query<Sample>(
      `select id, subject_id as plan_id, occurred_at from audit_entry where tenant_id = $1
          and occurred_at > (select min(occurred_at) from audit_entry where tenant_id = $1) + interval '${String(2 * PAGE)} seconds'
        order by md5(id::text) limit $2`,
      [tenantId, SAMPLED],
    ),
  );
  let next = 0;
  const sample = (): Sample => {
    const one = samples[next++ % samples.length];
    if (one === undefined) throw new Error('The log is empty.');
    return one;
  };
  const page = async (...asked: Parameters<AuditLog['listEntries']['execute']>): Promise<void> => {
    const { entries } = await log.listEntries.execute(...asked);
    if (entries.length !== PAGE) throw new Error(`A page has ${String(entries.length)} entries.`);
  };
  return {
    append: () =>
      unitOfWork.run(tenantId, (tx) =>
        log.sink.record(tx, {
          action: 'tool_call.decided',
          actor: { kind: 'agent', id: newId(), display_name: 'drift-bot', credential_id: null, on_behalf_of: null },
          level: 'full',
          subject: { type: 'tool_call', id: newId() },
          payload: { tool: 'query_assets@1', outcome: 'allow' },
        }),
      ),
    list: async () => {
      const { id, plan_id, occurred_at } = sample();
      await page(tenantId, {}, { limit: PAGE, after: { id, occurredAt: occurred_at.getTime() } });
      await page(tenantId, { within: [{ type: 'plan', id: plan_id }] }, { limit: PAGE });
    },
    prove: async () => {
      const found = await log.getEntry.execute(tenantId, sample().id);
      const { header, proof } = found.ok ? found.value : { header: null, proof: null };
      if (header === null || proof === null) throw new Error('An entry has no proof.');
      const { leafIndex: index, inclusion, checkpoint } = proof;
      const { treeSize: size, rootHash: root } = checkpoint;
      if (!verifyInclusion({ index, size, leaf: entryLeafHash(header), proof: inclusion, root })) {
        throw new Error('A proof is wrong.');
      }
    },
  };
}
