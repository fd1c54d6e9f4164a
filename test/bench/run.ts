import { auditAppend } from './audit-append.js';
import { authorizeHttp } from './authorize-http.js';
import { commitToNotify } from './commit-to-notify.js';
import { dispatcher } from './dispatcher.js';
import { failover } from './failover.js';
import type { Measurement } from './measurement.js';
import { historyGrowth } from './history-growth.js';
import { impact } from './impact.js';
import { noisyNeighbour } from './noisy-neighbour.js';
import { planGrowth } from './plan-growth.js';
import { policyWrapper } from './policy-wrapper.js';
import { precedents } from './precedents.js';
import { requestStatements } from './request-statements.js';
import { rlsCost } from './rls-cost.js';
import { rulesGrowth } from './rules-growth.js';
import { runStep } from './run-step.js';
import { runThroughput } from './run-throughput.js';
import { shellClassify } from './shell-classify.js';
import { slackAck } from './slack-ack.js';
import { tenantGrowth } from './tenant-growth.js';

/** By the names of docs/performance.md. */
const BENCHMARKS: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  'policy-wrapper': policyWrapper,
  'rules-growth': rulesGrowth,
  'shell-classify': shellClassify,
  'audit-append': auditAppend,
  'authorize-http': authorizeHttp,
  'rls-cost': rlsCost,
  'commit-to-notify': commitToNotify,
  'slack-ack': slackAck,
  'tenant-growth': tenantGrowth,
  'history-growth': historyGrowth,
  'run-step': runStep,
  'plan-growth': planGrowth,
  'run-throughput': runThroughput,
  dispatcher,
  failover,
  precedents,
  impact,
  'noisy-neighbour': noisyNeighbour,
  'submit-plan': requestStatements('submit-plan'),
  'last-review': requestStatements('last-review'),
  'start-simulation': requestStatements('start-simulation'),
  'execute-simulation': requestStatements('execute-simulation'),
  'assemble-evidence': requestStatements('assemble-evidence'),
};

/** `npm run bench -- <name>...`; without a name all of them. Prints one JSON line a measurement, and fails on a wrong answer only. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in BENCHMARKS));
  if (unknown.length > 0) {
    throw new Error(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}.`);
  }
  for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const measurement of await benchmark()) process.stdout.write(`${JSON.stringify(measurement)}\n`);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
