/**
 * Finds the public conformance suite of MCP and the Node that starts it. They are the packages of
 * test/conformance/suite/package-lock.json, installed once, into a cache keyed by that file.
 *
 *   node tools/conformance-suite.mjs    installs them if need be
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from './addressed-lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const FILES = ['package.json', 'package-lock.json'];

/** The command that starts the suite; null if it is not installed. */
export function findSuite() {
  const modules = join(folderOf(), 'node_modules');
  const command = [join(modules, 'node/bin/node'), join(modules, '@modelcontextprotocol/conformance/dist/index.js')];
  return command.every((path) => existsSync(path)) ? command : null;
}

function folderOf() {
  const key = createHash('sha256');
  for (const file of FILES) key.update(readFileSync(join(root, 'test/conformance/suite', file)));
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'countersign', `conformance-${key.digest('hex').slice(0, 16)}`);
}

/** Others see the folder once it is complete. */
function install() {
  process.stderr.write('Installing the conformance suite of MCP, once (about 20 s)...\n');
  const folder = folderOf();
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const [manifest, lock] = FILES.map((file) => join(root, 'test/conformance/suite', file));
  copyFileSync(manifest, join(unfinished, 'package.json'));
  const { status } = installLocked(lock, unfinished, ['--silent', '--no-audit', '--no-fund']);
  // Another run may have been faster.
  if (status === 0 && !existsSync(folder)) renameSync(unfinished, folder);
  rmSync(unfinished, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (findSuite() === null) install();
  if (findSuite() === null) {
    process.stderr.write('The conformance suite could not be installed. It needs the npm registry.\n');
    process.exit(1);
  }
}
