import { decidingServer, type DecidingServer } from './deciding-server.js';
import { dueLook } from './due-look.js';
import { measurementOf, type Measurement } from './measurement.js';
import { multiply } from './multiply-tenants.js';
import { spreadOf, timeOf } from './percentile.js';
import { configureUnattended } from './unattended.js';

const ROUNDS = 7;
const CALLS = 600;
/** Looks at 10,000 tenants take long. */
const LOOKS = 60;
const FEW = 10;
const MANY = 10_000;

/**
 * `tenant-growth`: p99 of a decided and audited call on an installation of 10,000 tenants, over one of 10. Any of the tenants may
 * ask next. Each tenant has automations, a webhook and a lifecycle hook. Each installation has its own PostgreSQL and api. The
 * same call is asked of both in turn, as is a worker's look for due work.
 */
export async function tenantGrowth(): Promise<readonly Measurement[]> {
  const stops: (() => Promise<void>)[] = [];
  const installation = async (tenants: number): Promise<Installation> => {
    const server = await decidingServer(configureUnattended);
    stops.push(server.stop);
    const call = callOfAny(server, await multiply(server, tenants));
    const { look, close } = await dueLook(server);
    stops.push(close);
    return { call, look };
  };
  try {
    const many = await installation(MANY);
    const few = await installation(FEW);
    return [
      ...(await measure('tenant-growth', CALLS, many.call, few.call)),
      ...(await measure('tenant-growth/look', LOOKS, many.look, few.look)),
    ];
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

type Call = () => Promise<void>;

interface Installation {
  /** A decided call of one tenant after another. */
  readonly call: Call;
  /** A look for due work of all tenants. */
  readonly look: Call;
}

async function measure(name: string, calls: number, many: Call, few: Call): Promise<readonly Measurement[]> {
  for (let call = 0; call < calls; call += 1) {
    await many();
    await few();
  }
  const [p99, median]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b]: [number[], number[]] = [[], []];
    for (let call = 0; call < calls; call += 1) {
      a.push(await timeOf(many));
      b.push(await timeOf(few));
    }
    const [ours, theirs] = [spreadOf(a), spreadOf(b)];
    p99.push(ours.p99 / theirs.p99);
    median.push(ours.median / theirs.median);
  }
  return [measurementOf(name, p99), measurementOf(`${name}/median`, median)];
}

/** Asks for one tenant after another, none twice before all have asked. */
function callOfAny(server: DecidingServer, tokens: readonly string[]): Call {
  let next = 0;
  return () => server.ask(tokens[next++ % tokens.length] ?? '');
}
