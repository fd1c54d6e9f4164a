import { decidingServer, type DecidingServer } from './deciding-server.js';
import { figureOf, type Figure } from './figure.js';
import { multiply } from './multiply-tenants.js';
import { spreadOf, timeOf } from './percentile.js';

const ROUNDS = 7;
const CALLS = 600;
const FEW = 10;
const MANY = 10_000;

/**
 * `tenant-growth`: p99 of a decided and audited call on an installation of 10,000 tenants, of which any may ask next, over
 * one of 10. Each has its own PostgreSQL and api, and the same call is asked of both in turn.
 */
export async function tenantGrowth(): Promise<readonly Figure[]> {
  const many = await decidingServer();
  try {
    const few = await decidingServer();
    try {
      return await measure(callOfAny(many, await multiply(many, MANY)), callOfAny(few, await multiply(few, FEW)));
    } finally {
      await few.stop();
    }
  } finally {
    await many.stop();
  }
}

type Call = () => Promise<void>;

async function measure(many: Call, few: Call): Promise<readonly Figure[]> {
  for (let call = 0; call < CALLS; call += 1) {
    await many();
    await few();
  }
  const [p99, median]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b]: [number[], number[]] = [[], []];
    for (let call = 0; call < CALLS; call += 1) {
      a.push(await timeOf(many));
      b.push(await timeOf(few));
    }
    const [ours, theirs] = [spreadOf(a), spreadOf(b)];
    p99.push(ours.p99 / theirs.p99);
    median.push(ours.median / theirs.median);
  }
  return [figureOf('tenant-growth', p99), figureOf('tenant-growth/median', median)];
}

/** Asks for one tenant after another, none twice before all have asked. */
function callOfAny(server: DecidingServer, tokens: readonly string[]): Call {
  let next = 0;
  return () => server.ask(tokens[next++ % tokens.length] ?? '');
}
