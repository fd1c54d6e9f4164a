import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { packageRoot } from '#lib/database';
import { makeFolderSync } from '#lib/folders';
import { ClaimedElsewhere, claimFile } from '#lib/operation';
import { CountersignError } from '#lib/sdk';
import { prepareAutomations } from './automation-tools.js';
import { castOf, TENANT, type Cast } from './cast.js';
import { Narrator } from './narrator.js';
import { PEOPLE } from './people.js';
import { openSlack, type SlackSecrets } from './demo-slack.js';
import { prepareLaptop } from './laptop.js';
import { freePorts, Processes } from './processes.js';
import { liveThroughSession } from './scenes/agent-session.js';
import { remediateDrift } from './scenes/drift-remediation.js';
import { proveIt } from './scenes/evidence.js';
import { failHealthCheck } from './scenes/failing-health-check.js';
import { meetHalt } from './scenes/halt.js';
import { keepAsking, leaveChangeForNoor } from './scenes/standing-request.js';
import { leaveWork, workUnattended } from './scenes/unattended.js';
import type { Stage } from './stage.js';

/** The plan's waits are minutes; the demo makes them fractions of a second, and every run says so. */
const WAIT_SCALE = 0.002;

const help = `The whole main job against a simulated fleet: task, plan, simulation, approval, run, evidence.

  npm run demo             runs it and ends
  npm run demo -- --keep   leaves everything running, and prints addresses and tokens
`;

/** The signing secret of the local Slack, which no other process reaches. */
const SLACK: SlackSecrets = {
  clientId: '1.1',
  clientSecret: randomBytes(16).toString('hex'),
  signingSecret: randomBytes(16).toString('hex'),
};

const CLI = 'dist/programs/cli/main.js';

interface Addresses {
  readonly api: string;
  readonly fleet: string;
  readonly issuer: string;
  readonly slack: string;
}

async function startEverything(processes: Processes, narrator: Narrator, data: string): Promise<Addresses> {
  const [apiPort = 0, fleetPort = 0, metricsPort = 0, workerPort = 0, issuerPort = 0, slackPort = 0] =
    await freePorts(6);
  // Passkeys and the cookies of sessions want a name that browsers trust without TLS.
  const api = `http://localhost:${String(apiPort)}`;
  const issuer = `http://localhost:${String(issuerPort)}`;
  const fleet = `http://127.0.0.1:${String(fleetPort)}`;
  const slack = `http://127.0.0.1:${String(slackPort)}`;
  const environment = {
    COUNTERSIGN_DATA: data,
    COUNTERSIGN_PORT: String(apiPort),
    COUNTERSIGN_METRICS_PORT: String(metricsPort),
    COUNTERSIGN_WORKER_PORT: String(workerPort),
    COUNTERSIGN_PUBLIC_URL: api,
    COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: [
      ...[`127.0.0.1:${String(fleetPort)}`, `localhost:${String(issuerPort)}`],
      // A visitor may have an embedder, a webhook or a collector of their own on this machine.
      ...(process.env.COUNTERSIGN_ALLOWED_PRIVATE_HOSTS ?? '').split(',').filter((host) => host !== ''),
    ].join(','),
    COUNTERSIGN_SLACK_URL: slack,
    COUNTERSIGN_DEMO: '1',
    COUNTERSIGN_DEMO_WAIT_SCALE: String(WAIT_SCALE),
    COUNTERSIGN_LOG_LEVEL: 'warn',
    DATABASE_URL: '',
  };
  const running = processes.start('api', CLI, ['start', '--api-only'], environment);
  await narrator.during('starting PostgreSQL and the api', processes.ready(running, `${api}/health/ready`));
  const worker = processes.start('worker', CLI, ['start', '--worker-only'], environment);
  const fleetArguments = [
    '--countersign',
    api,
    '--port',
    String(fleetPort),
    '--ledger',
    join(data, 'fleet-ledger.jsonl'),
    '--allow-faults',
  ];
  const tools = processes.start('fleet', 'dist/programs/fleet/main.js', fleetArguments, {});
  const peopleFile = join(data, 'issuer-people.json');
  writeFileSync(peopleFile, JSON.stringify({ client_url: api, people: Object.values(PEOPLE) }));
  const issuerArguments = ['--demo', '--people', peopleFile, '--port', String(issuerPort)];
  const signIn = processes.start('issuer', 'dist/programs/issuer/main.js', issuerArguments, {});
  const slackArguments = [
    ...['--countersign', api, '--port', String(slackPort), '--client-id', SLACK.clientId],
    ...['--client-secret', SLACK.clientSecret, '--signing-secret', SLACK.signingSecret],
    ...[
      '--users',
      Object.values(PEOPLE)
        .map(({ name }) => name)
        .join(','),
    ],
  ];
  const chat = processes.start('slack', 'dist/programs/slack-local/main.js', slackArguments, {});
  await narrator.during(
    'starting worker, fleet, issuer and a local Slack',
    Promise.all([
      processes.ready(chat, `${slack}/state`),
      processes.ready(signIn, `${issuer}/.well-known/openid-configuration`),
      processes.ready(worker, `http://127.0.0.1:${String(workerPort)}/health/ready`),
      processes.ready(tools, `${fleet}/health`),
    ]),
  );
  return { api, fleet, issuer, slack };
}

/** The addresses to look at. */
interface Kept extends Addresses {
  /** The page of the agent's session. */
  readonly session: string;
}

/** A path as one would type it here. */
const shown = (file: string): string => relative(process.cwd(), file);

function tellWhereToLook(addresses: Kept, cast: Cast, files: readonly string[], data: string, keep: boolean): void {
  const lines = [
    '',
    pc.bold('Where to look next'),
    ...files.map((file) => `   ${shown(file)}`),
    `   ${shown(join(data, 'fleet-ledger.jsonl'))}   what the fleet itself wrote down`,
    `   ${shown(join(data, 'checkpoints'))}   signed checkpoints, published outside the database`,
    '   README.md, catalog/autonomy.yaml, policies/, docs/threats.md',
    ...(keep
      ? keptLines(addresses, cast)
      : [
          '   npm run demo -- --keep   the same, left running',
          '   npm start                 your own, with data that stays',
        ]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const keptLines = ({ api, fleet, slack, session }: Kept, cast: Cast): string[] => [
  '',
  pc.bold('Left running until you press Ctrl-C'),
  `   ${pc.bold('web     ')}${pc.underline(`${api}/`)}`,
  `           sign in as ${Object.values(PEOPLE)
    .map(({ name, title }) => `${name} (${title})`)
    .join(', ')}`,
  `   ${pc.bold('slack   ')}${pc.underline(`${slack}/?as=U0SAM`)}   a local one: be Sam or Lea there, and press the buttons`,
  '           a request of drift-bot waits for two of Sam, Lea, Ada and Noor; once it is decided, the next one comes',
  '           a change of Ada’s waits for Noor, with its impact on the decisions so far: one approval would do in production',
  `   session ${session}   of shop-bot, on Dev’s laptop`,
  `   api     ${api}/v1, described at ${api}/docs`,
  `   fleet   ${fleet}/assets, ${fleet}/ledger`,
  '           production asks approvers for a second factor; Sam’s and Lea’s passkeys live in this demo, so type a recovery code:',
  ...[cast.sam, cast.lea].map(
    ({ name, recoveryCodes }) => `           ${name}  ${recoveryCodes.slice(0, 3).join('  ')}`,
  ),
  ...Object.values(cast).map(({ name, token }: Cast[keyof Cast]) => `   ${name.padEnd(10)} ${token}`),
];

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    // A second signal, for example npm's after the terminal's, must not end the demo before it has stopped its processes.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        resolve();
      });
    }
  });
}

async function play(keep: boolean): Promise<void> {
  const root = packageRoot();
  const data = join(root, '.countersign', 'demo');
  const release = claimData(`${data}.lock`);
  process.once('exit', release);
  rmSync(data, { recursive: true, force: true });
  makeFolderSync(data);
  const narrator = new Narrator();
  const processes = new Processes(root, data);
  const killAll = (): void => {
    processes.killAll();
  };
  process.once('exit', killAll);
  const interrupted = untilInterrupted();
  try {
    const story = async (): Promise<void> => {
      const addresses = await startEverything(processes, narrator, data);
      const { alone, joinedByNoor } = await narrator.during(
        'founding a tenant with people, an agent, tools and autonomy',
        castOf({
          baseUrl: addresses.api,
          bootstrapToken: readFileSync(join(data, 'bootstrap-token'), 'utf8').trim(),
          catalogDirectory: join(root, 'catalog'),
          fleetUrl: addresses.fleet,
          issuerUrl: addresses.issuer,
          letIn: async (email) => {
            const file = join(data, 'noor-token');
            await processes.run('operator', CLI, ['bootstrap', '--person', email, '--save-invitation', file], {
              COUNTERSIGN_DATA: data,
              DATABASE_URL: '',
            });
            return readFileSync(file, 'utf8').trim();
          },
        }),
      );
      await narrator.during(
        'installing Slack, and linking people to their Slack accounts',
        openSlack(addresses.slack, SLACK, alone.ada, [alone.olga, alone.sam, alone.lea]),
      );
      const example = join(root, 'examples', 'session-agent');
      const laptop = await prepareLaptop(example, alone);
      await prepareAutomations(join(root, 'catalog'), alone);
      const cast = await joinedByNoor();
      const stage: Stage = { cast, narrator, fleetUrl: addresses.fleet, slackUrl: addresses.slack };
      const unattended = await leaveWork(stage);
      const planId = await remediateDrift(stage);
      await failHealthCheck(stage);
      await meetHalt(stage);
      await workUnattended(stage, unattended);
      const setting = { root, data, example, api: addresses.api, tenant: TENANT.slug };
      const session = await liveThroughSession(stage, processes, laptop, setting);
      const files = await proveIt(stage, root, data, planId);
      if (!keep) {
        tellWhereToLook({ ...addresses, session }, cast, files, data, keep);
        return;
      }
      const over = new AbortController();
      void interrupted.then(() => {
        over.abort();
      });
      await leaveChangeForNoor(stage);
      const goOnAsking = await keepAsking(stage, over.signal);
      tellWhereToLook({ ...addresses, session }, cast, files, data, keep);
      await goOnAsking();
    };
    await Promise.race([story(), interrupted, processes.lost]);
  } finally {
    await processes.stopAll();
    process.off('exit', killAll);
  }
}

const { values } = parseArgs({
  options: { keep: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help) process.stdout.write(help);
else
  play(values.keep).catch((error: unknown) => {
    process.stderr.write(`\n${pc.red('The demo failed:')} ${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof CountersignError) process.stderr.write(`${JSON.stringify(error.problem, null, 2)}\n`);
    process.exitCode = 1;
  });

function claimData(file: string): () => void {
  try {
    return claimFile(file);
  } catch (error) {
    if (!(error instanceof ClaimedElsewhere)) throw error;
    throw new Error(
      `A demo runs in this checkout already (process ${String(error.pid)}), and a second one would take its data.\n` +
        `  Press Ctrl-C there first, or run this one in another checkout. If that process is no demo, remove ${file}.`,
      { cause: error },
    );
  }
}
