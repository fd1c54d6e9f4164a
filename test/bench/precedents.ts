import { Client } from 'pg';
import { sqlOf } from '#lib/database';
import {
  newId,
  type CredentialId,
  type PersonId,
  type PersonPrincipal,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import { loadPrecedents, type InventedPrecedent } from '../support/precedent-rows.js';
import { onBenchDatabase } from './bench-database.js';
import { benchInstallation } from './bench-installation.js';
import { measurementOf, type Measurement } from './measurement.js';
import { spreadOf, timeOf } from './percentile.js';

const ROUNDS = 5;
/** The p99 of a round is the second slowest call. */
const CALLS = 120;
/** COUNTERSIGN_BENCH_PRECEDENTS gives another number, for a short run. */
const DOCUMENTS = Number(process.env.COUNTERSIGN_BENCH_PRECEDENTS ?? 40_000);
const BATCH = 2_000;
/** Connections that load at once. */
const LANES = 2;
const WORDS = 4_000;
const TOOLS = [
  'execute_rollout_prod',
  'restart_service',
  'rotate_secret',
  'scale_cluster',
  'drain_node',
  'patch_kernel',
];
const ENVIRONMENTS = ['production', 'production-eu', 'staging'];
const SYLLABLES = [
  'ba',
  'cor',
  'den',
  'fil',
  'gra',
  'hon',
  'lis',
  'mer',
  'nol',
  'per',
  'ras',
  'sto',
  'tam',
  'ver',
  'zin',
  'kel',
];

/** The same documents, as PostgreSQL's text search has them. */
const THEIRS = `
  create table bench_text (tenant_id uuid not null, id uuid not null, words tsvector not null,
    constraint bench_text_pk primary key (tenant_id, id));
  create index bench_text_words_idx on bench_text using gin (words);
  select countersign_protect('bench_text')`;
const FILL = `
  insert into bench_text select tenant_id, id, to_tsvector('english', concat_ws(' ', array_to_string(tools, ' '), environment_name,
    array_to_string(arguments, ' '), array_to_string(targets, ' '), own_words, said_words)) from precedent`;
const RANK = `
  select id from bench_text, to_tsquery('english', $2) sought
   where tenant_id = $1 and words @@ sought order by ts_rank_cd(words, sought) desc limit 50`;

/**
 * `precedents`: p99 of the fused search, with its reasons and the line about the past, over p99 of ts_rank_cd alone. Both search
 * 40,000 documents of one tenant under row-level security. Calls are made in turn.
 */
export async function precedents(): Promise<readonly Measurement[]> {
  const bench = await onBenchDatabase(async ({ directory, postgres, url, stop }, started) => {
    const limits = { statementMs: 600_000, lockMs: 5_000, idleMs: 30_000 };
    const { database, precedent } = await benchInstallation(url, directory, { poolSize: 2, limits });
    started(() => database.close());
    const tenantId = newId<TenantId>();
    await load(database.uow, tenantId);
    const admin = new Client({ connectionString: postgres.adminUrl });
    await admin.connect();
    try {
      await admin.query(`set role countersign_owner; ${THEIRS}; ${FILL}`);
      await admin.query('reset role');
      await admin.query('vacuum analyze');
    } finally {
      await admin.end();
    }
    return { uow: database.uow, finding: precedent.findPrecedents, by: reader(tenantId), stop };
  });
  const { uow, finding, by } = bench;
  let serial = 0;
  const ours = async (text: string): Promise<void> => {
    const question = { text, tools: ['drain_node'], environment: 'production', argumentKeys: ['targets'], targets: [] };
    if ((await finding.search(by, question, 5)).hits.length !== 5)
      throw new Error('The fused search found too little.');
  };
  const theirs = async (text: string): Promise<void> => {
    const sought = text.replaceAll(' ', ' | ');
    const found = await uow.run(by.tenantId, (tx) => sqlOf(tx).query(RANK, [by.tenantId, sought]));
    if (found.length === 0) throw new Error('ts_rank_cd found nothing.');
  };
  try {
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a, b]: [number[], number[]] = [[], []];
      for (let call = 0; call < CALLS; call += 1) {
        const text = sentence(1_000_003 + serial++, 6);
        a.push(await timeOf(() => ours(text)));
        b.push(await timeOf(() => theirs(text)));
      }
      ratios.push(spreadOf(a).p99 / spreadOf(b).p99);
    }
    return [measurementOf('precedents', ratios)];
  } finally {
    await bench.stop();
  }
}

async function load(uow: UnitOfWork, tenantId: TenantId): Promise<void> {
  const from = async (lane: number): Promise<void> => {
    for (let first = lane * BATCH; first < DOCUMENTS; first += LANES * BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, DOCUMENTS - first) }, (_, index) => document(first + index));
      await uow.run(tenantId, (tx) => loadPrecedents(tx, batch));
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, lane) => from(lane)));
}

/** A number below 2^31 that looks random and is the same in each run. */
const mixed = (seed: number): number => ((seed * 48_271) % 2_147_483_647) ^ ((seed * 16_807) % 65_537);

/** Words are as frequent as in prose: the n-th one about 1/n as often as the first. */
function word(seed: number): string {
  const rank = Math.floor(WORDS ** ((mixed(seed) % 100_000) / 100_000));
  return [rank % 16, Math.floor(rank / 16) % 16, Math.floor(rank / 256)].map((at) => SYLLABLES[at] ?? '').join('');
}

const sentence = (seed: number, length: number): string =>
  Array.from({ length }, (_, index) => word(seed * 31 + index)).join(' ');

function document(serial: number): InventedPrecedent {
  const host = (at: number): string => `web-${String(mixed(serial * 7 + at) % 400)}.fra.example`;
  return {
    goal: `${sentence(serial, 14)} OPS-${String(mixed(serial) % 9_000)}`,
    said: sentence(serial + 500_000, 22),
    tools: [TOOLS[mixed(serial + 1) % TOOLS.length] ?? ''],
    environment: ENVIRONMENTS[mixed(serial + 2) % ENVIRONMENTS.length] ?? '',
    arguments: ['targets'],
    targets: [...new Set([host(0), host(1), host(2)])],
    endedAs: serial % 9 === 0 ? 'rolled_back' : 'completed',
  };
}

const reader = (tenantId: TenantId): PersonPrincipal => ({
  ...{ kind: 'person', tenantId, personId: newId<PersonId>(), displayName: 'Bench', roles: [] },
  ...{ credentialId: newId<CredentialId>(), credentialKind: 'person_token', scopes: ['read'], signedInAt: null },
});
