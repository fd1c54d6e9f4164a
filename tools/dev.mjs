/**
 * Countersign for its developers: api and worker start again once a change compiles, and the page reloads. Pages come from
 * Vite at the public address; it passes all else on to the api. Data lies in .countersign, as with `npm start`.
 *
 *   node tools/dev.mjs
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import compilerPath from '../node_modules/typescript-7/lib/getExePath.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const port = Number(process.env.COUNTERSIGN_PORT ?? 8420);
const apiPort = port + 1;
const apiPaths = '^/(v1|t|hooks|sign-in|health|slack|docs|\\.well-known)(/|$)';

const say = (text) => process.stdout.write(`dev: ${text}\n`);
const start = (args, options) => spawn(process.execPath, args, { cwd: root, ...options });

async function stop(child) {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

let server = null;
let ending = false;

/** Ends the api and worker that run, and starts those just compiled. */
async function restart() {
  await stop(server);
  if (ending) return;
  server = start(['dist/apps/cli/src/main.js', 'start'], {
    stdio: 'inherit',
    env: { COUNTERSIGN_PUBLIC_URL: `http://localhost:${port}`, ...process.env, COUNTERSIGN_PORT: String(apiPort) },
  });
  server.on('exit', (code) => {
    if (!ending && code !== 0) say(`the server ended with ${code}; it starts again at the next change`);
  });
}

// The compiler itself: a signal that ends its starter, a script, would not reach it.
const compiler = spawn(compilerPath(), ['-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
});
let restarts = Promise.resolve();
createInterface(compiler.stdout).on('line', (line) => {
  process.stdout.write(`${line}\n`);
  if (line.includes('Found 0 errors')) restarts = restarts.then(restart);
});

const vite = await createServer({
  configFile: join(root, 'apps/web/vite.config.mjs'),
  server: {
    host: 'localhost',
    port,
    strictPort: true,
    proxy: { [apiPaths]: { target: `http://127.0.0.1:${apiPort}`, changeOrigin: true, ws: true } },
  },
});
await vite.listen();
// Vite would end this process before the server has stopped.
process.removeAllListeners('SIGTERM');
say(`pages at http://localhost:${port}, the api behind them at port ${apiPort}`);

async function end() {
  if (ending) return;
  ending = true;
  await Promise.all([stop(compiler), restarts.then(() => stop(server)), vite.close()]);
  process.exit();
}
process.on('SIGINT', () => void end());
process.on('SIGTERM', () => void end());
