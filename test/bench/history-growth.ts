import type { AuditLog } from '#lib/audit';
import { sqlOf } from '#lib/database';
import { newId, type AuditEntryId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { entryLeafHash, verifyInclusion } from '#lib/verifier';
import { onBenchDatabase } from './bench-database.js';
import { benchInstallation } from './bench-installation.js';
import { loadLog, PLAN_ENTRIES } from './load-log.js';
import { measurementOf, type Measurement } from './measurement.js';
import { spreadOf, timeOf } from './percentile.js';

const ROUNDS = 7;
const CALLS = 400;
const WARM_UP = 200;
const SHORT = 1_000;
/** COUNTERSIGN_BENCH_ENTRIES gives another number, for a short run: ten million entries take minutes to load. */
const LONG = Number(process.env.COUNTERSIGN_BENCH_ENTRIES ?? 10_000_000);
/** The entries of a plan fill a page. */
const PAGE = PLAN_ENTRIES;
const SAMPLED = 500;

/**
 * `history-growth`: p99 in a log of 10^7 entries over one of 10^3: of appending an entry; of reading a page (of a moment anywhere in
 * the log, and of a plan); and of an entry with its proof. Each log is in a PostgreSQL of its own that commits
 * durably, and the calls are made in turn. Every proof is verified, every page is counted.
 */
export async function historyGrowth(): Promise<readonly Measurement[]> {
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

async function measure(name: string, long: Call, short: Call): Promise<Measurement> {
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
  return measurementOf(`history-growth/${name}`, ratios);
}

interface History {
  readonly append: Call;
  readonly list: Call;
  readonly prove: Call;
  stop(): Promise<void>;
}

/** A log of one tenant with this many entries, all of them sequenced and signed. */
const history = (entries: number): Promise<History> =>
  onBenchDatabase(async ({ directory, postgres, url, stop }, started) => {
    const limits = { statementMs: 600_000, lockMs: 5_000, idleMs: 30_000 };
    const { database, audit } = await benchInstallation(url, directory, { poolSize: 2, limits });
    started(() => database.close());
    const { uow } = database;
    const { log } = audit;
    const tenantId = newId<TenantId>();
    const one = (): Promise<unknown> => append(uow, log, tenantId);
    const sequence = async (): Promise<void> => {
      for (let round = 0; round < 3; round += 1) {
        await log.backlog.settle();
        for (const waiting of await log.backlog.unsequenced()) await log.sequence.execute(waiting.tenantId);
      }
    };
    // The first entry makes epoch and key, the last one a signed checkpoint over all that was loaded between.
    await one();
    await sequence();
    await loadLog(postgres.adminUrl, tenantId, entries);
    await one();
    await sequence();
    return { ...(await callsOf(uow, log, tenantId)), stop };
  });

const append = (uow: UnitOfWork, log: AuditLog, tenantId: TenantId): Promise<void> =>
  uow.run(tenantId, (tx) =>
    log.sink.record(tx, {
      action: 'tool_call.decided',
      actor: { kind: 'agent', id: newId(), display_name: 'drift-bot', credential_id: null, on_behalf_of: null },
      level: 'full',
      subject: { type: 'tool_call', id: newId() },
      payload: { tool: 'query_assets@1', outcome: 'allow' },
    }),
  );

interface Sample {
  readonly id: AuditEntryId;
  readonly plan_id: string;
  readonly occurred_at: Date;
}

async function callsOf(uow: UnitOfWork, log: AuditLog, tenantId: TenantId): Promise<Omit<History, 'stop'>> {
  // None of the oldest, so that each has a whole page behind it.
  const samples = await uow.run(tenantId, (tx) =>
    sqlOf(tx).query<Sample>(
      `select id, subject_id as plan_id, occurred_at from audit_entry where tenant_id = $1 and subject_type = 'plan'
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
    append: () => append(uow, log, tenantId),
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
