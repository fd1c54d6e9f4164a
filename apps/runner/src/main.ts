#!/usr/bin/env node
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { FailureError } from '#lib/kernel';
import {
  ClaimedElsewhere,
  claimFile,
  inDataFolder,
  loggerOptions,
  makeDataFolder,
  reportUnknownSettings,
  runProcess,
} from '#lib/operation';
import { fetchThrough, guardedAgent } from '#lib/outbound';
import { verifierByEnvironment, type GrantVerifier } from '#lib/sdk';
import { VERSION } from '#lib/words';
import { CallJournal } from './call-journal.js';
import { HOOK_TOOL, hookAudience } from '#lib/formats';
import { identityOf, rotateIfOld } from './enrol.js';
import { Plane } from './plane.js';
import { proposedCatalog } from './proposed-catalog.js';
import { checksFrom, runnerConfigFrom, type RunnerConfig } from './runner-config.js';
import { hookTool } from './hook-tool.js';
import { MCP_PREFIX, mcpTool } from './mcp/mcp-tool.js';
import { removeFolder } from './mcp/remove-folder.js';
import { StdioServers } from './mcp/stdio-servers.js';
import { KeyFile } from './runner-key.js';
import { Runner } from './runner.js';
import { serveTools } from './serve-tools.js';

const DATA_SETTING = 'COUNTERSIGN_RUNNER_DATA';
/** Longer than web-fetch itself waits. */
const FETCH_MS = 60_000;
const ROTATION_EVERY_MS = 3_600_000;
/** So often the tools of its MCP servers are read again. */
const LOOK_EVERY_MS = 5 * 60_000;
/** The start waits at most so long for their tools. */
const FIRST_LOOK_MS = 5_000;

const REVOKED = {
  kind: 'forbidden',
  code: 'runner.revoked',
  message: 'This runner was revoked.',
  action: 'Add it again with `countersign runner add` if it is to work here, and remove its data folder first.',
} as const;

if (process.argv.includes('--catalog')) process.stdout.write(proposedCatalog(checksFrom(process.env)));
else void runProcess(startRunner);

async function startRunner(stops: (() => Promise<unknown>)[]) {
  reportUnknownSettings(process.env);
  const config = runnerConfigFrom(process.env);
  makeDataFolder(config.data, DATA_SETTING);
  return await inDataFolder(config.data, DATA_SETTING, () => startWith(config, stops));
}

async function startWith(config: RunnerConfig, stops: (() => Promise<unknown>)[]) {
  const logger = pino(loggerOptions('runner', config.logLevel));
  const release = claimData(config.data);
  stops.push(() => {
    release();
    return Promise.resolve();
  });
  const keys = new KeyFile(config.data);
  const plane = new Plane(config.url);
  let identity = await identityOf(keys, plane, { token: config.token, version: VERSION, now: Date.now() });
  plane.use(identity);
  const outbound = guardedAgent(config.privateHosts, 'own');
  const {
    tools: served,
    noWayBack,
    groups,
    sessions,
  } = await serveTools(
    config,
    (url, { signal }) => fetchThrough(outbound, url, { signal, deadlineMs: FETCH_MS }),
    (message) => {
      logger.warn(message);
    },
    new URL('./search-thread.js', import.meta.url),
  );
  const homes = join(config.data, 'mcp-homes');
  // A process that was killed left the homes of its servers.
  await removeFolder(homes).catch((error: unknown) => {
    logger.warn({ err: error }, 'homes of MCP servers cannot be removed');
  });
  const servers = new StdioServers({
    ...{ servers: config.mcpServers, root: config.root, programFolders: config.programFolders, groups },
    homes,
    warn: (facts, message) => {
      logger.warn(facts, message);
    },
  });
  // A slow server is advertised later.
  await Promise.race([servers.look(), delay(FIRST_LOOK_MS, undefined, { ref: false })]);
  const looking = setInterval(() => void servers.look(), LOOK_EVERY_MS);
  const tools = new Map([...served, [HOOK_TOOL, hookTool({ ...config, groups })] as const]);
  const verifying = (audienceOf: (environment: string) => string) =>
    verifierByEnvironment(config.environments, (environment) => ({
      issuer: config.url,
      audience: audienceOf(environment),
      tenants: [identity.tenant_id],
      replay: 'redeem',
    }));
  /** By the executor of a tool, which its name tells: the verifier keeps the keys of the issuer. */
  const verifiers = new Map<string, GrantVerifier>();
  const verifyMcp: GrantVerifier = (grant, call) => {
    const executor = call.tool.split(':')[1] ?? '';
    const verify = verifiers.get(executor) ?? verifying((environment) => `${executor}.${environment}`);
    verifiers.set(executor, verify);
    return verify(grant, call);
  };
  const [verifyTool, verifyHook] = [
    verifying((environment) => `${config.executor}.${environment}`),
    verifying(hookAudience),
  ];
  const runner = new Runner({
    plane,
    journal: await CallJournal.open(join(config.data, 'journal')),
    tools,
    noWayBack,
    mcp: mcpTool(servers),
    mcpServers: () => servers.advertised,
    sessions,
    verify: (grant, call) =>
      call.tool.startsWith(MCP_PREFIX)
        ? verifyMcp(grant, call)
        : (call.tool === HOOK_TOOL ? verifyHook : verifyTool)(grant, call),
    atOnce: config.atOnce,
    worksIn: config.environments,
    hooks: [...config.hooks.keys()],
    version: VERSION,
    log: logger,
  });
  const rotate = (): Promise<void> =>
    rotateIfOld(keys, plane, identity, Date.now()).then(
      (next) => {
        identity = next;
      },
      (error: unknown) => {
        logger.warn({ err: error }, 'the key could not be replaced; it is tried again in an hour');
      },
    );
  // A runner that is started again every day has no hour in which its key becomes old.
  void rotate();
  const rotation = setInterval(() => void rotate(), ROTATION_EVERY_MS);
  const stopping = new AbortController();
  const running = runner.run(stopping.signal);
  stops.push(async () => {
    clearInterval(rotation);
    clearInterval(looking);
    stopping.abort();
    await running;
  });
  logger.info({ runner_id: identity.runner_id, tools: served.size }, 'the runner is at work');
  return { signal: runner.revoked, why: REVOKED };
}

/** One process works with a data folder. Two would take each other's calls for those of a process that has died (T27). */
function claimData(folder: string): () => void {
  try {
    return claimFile(join(folder, 'process'));
  } catch (error) {
    if (!(error instanceof ClaimedElsewhere)) throw error;
    throw new FailureError({
      kind: 'conflict',
      code: 'runner.data_in_use',
      message: `Another runner, process ${String(error.pid)}, works with the data folder ${folder}.`,
      action: 'End it first, or give this one a folder and an enrolment of its own by COUNTERSIGN_RUNNER_DATA.',
    });
  }
}
