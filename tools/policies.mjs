/**
 * Checks, tests and compiles the policies.
 *
 *   npm run policies              formats are checked, not changed; writes policies/bundle
 *   npm run policies -- --check   writes nothing and fails if the committed bundle differs from a rebuild
 *   npm run policies -- --fix     formats the Rego first
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { findOpa } from './opa.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const policies = join(root, 'policies');
const bundleFolder = join(policies, 'bundle');
const ENTRYPOINTS = [
  'tool_call',
  'plan',
  'review',
  'run_step',
  'break_glass',
  'autonomy',
  'session_change',
  'automation',
];
// opa would load every JSON file it finds as data.
const REGO_ONLY = ['--ignore', '*.json', '--ignore', 'bundle', '--ignore', 'fixtures'];

// Tests read the fixtures, which jest puts through the compiled module too.
const TESTED = ['--ignore', 'bundle', '--timeout', '300s'];

const check = process.argv.includes('--check');

class Refusal extends Error {}

const { path: opaPath, reason } = findOpa({ build: true });

function opa(args, { quiet = false } = {}) {
  const run = spawnSync(opaPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (run.status !== 0) {
    if (!quiet) process.stderr.write(`${run.stdout}${run.stderr}`);
    throw new Refusal(`opa ${args[0]} failed`);
  }
  return run.stdout;
}

function regoFiles(folder = policies) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path === bundleFolder ? [] : regoFiles(path);
    return entry.name.endsWith('.rego') ? [path] : [];
  });
}

const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The modules that decide, without their tests: text by path, sorted by path. */
function sources() {
  const found = regoFiles()
    .filter((path) => !path.endsWith('_test.rego'))
    .map((path) => [relative(policies, path).split(sep).join('/'), readFileSync(path, 'utf8')]);
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The digest that libs/foundation/kernel calls `digestOf('policy', sources)`: the canonical JSON of sorted keys and plain text. */
const revisionOf = (texts) => sha256(`countersign:policy:v1\n${JSON.stringify(texts)}`);

function checkFormat() {
  if (process.argv.includes('--fix')) opa(['fmt', '-w', ...regoFiles()]);
  const unformatted = opa(['fmt', '--list', ...regoFiles()]).trim();
  if (unformatted !== '') throw new Refusal(`not formatted (npm run policies -- --fix):\n${unformatted}`);
}

/** Every rule that other packages may name carries METADATA with a title and a description, and so does its package. */
function checkMetadata() {
  const missing = [];
  for (const path of regoFiles().filter((file) => !file.endsWith('_test.rego'))) {
    const parsed = JSON.parse(opa(['parse', '--format', 'json', '--json-include', 'locations,-comments', path]));
    const annotated = new Set();
    const inspected = JSON.parse(opa(['inspect', '-a', '--format', 'json', path]));
    for (const { annotations, path: refs } of inspected.annotations ?? []) {
      if (annotations.title !== undefined && annotations.description !== undefined) {
        annotated.add(annotations.scope === 'package' ? 'package' : String(refs.at(-1).value));
      }
    }
    if (!annotated.has('package')) missing.push(`${relative(root, path)}: the package`);
    const names = new Set((parsed.rules ?? []).map((rule) => String(rule.head.name ?? rule.head.ref[0].value)));
    for (const name of names) {
      if (!name.startsWith('_') && !annotated.has(name)) missing.push(`${relative(root, path)}: ${name}`);
    }
  }
  if (missing.length > 0) throw new Refusal(`without METADATA (title and description):\n${missing.join('\n')}`);
}

/** A test that fails ends opa with an error, and its name; the report comes if all pass. */
function testWithCoverage() {
  const report = JSON.parse(opa(['test', '--coverage', '--format', 'json', ...TESTED, 'policies']));
  process.stdout.write(`policies: coverage ${report.coverage.toFixed(2)} percent\n`);
  const gaps = Object.entries(report.files).flatMap(([file, { not_covered: lines = [] }]) =>
    lines.map(({ start, end }) => `not covered: ${file}:${start.row}-${end.row}`),
  );
  if (gaps.length > 0) throw new Refusal(`rules that no test reaches:\n${[...new Set(gaps)].join('\n')}`);
}

/** One member of an uncompressed ustar archive. */
function memberOf(archive, wanted) {
  for (let at = 0; at + 512 <= archive.length;) {
    const name = archive.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(archive.toString('utf8', at + 124, at + 136), 8);
    if (name === '') break;
    if (name === wanted) return archive.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Refusal(`opa's bundle has no ${wanted}`);
}

function compile() {
  const scratch = mkdtempSync(join(tmpdir(), 'countersign-policies-'));
  try {
    const archive = join(scratch, 'bundle.tar.gz');
    const entrypoints = ENTRYPOINTS.flatMap((name) => ['-e', `countersign/${name}/decision`]);
    opa(['build', '-t', 'wasm', ...entrypoints, '--ignore', '*_test.rego', ...REGO_ONLY, '-o', archive, 'policies']);
    return memberOf(gunzipSync(readFileSync(archive)), '/policy.wasm');
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function main() {
  if (opaPath === null) throw new Refusal(`${reason}; install Go 1.26 or opa 1.22`);
  checkFormat();
  opa(['check', '--strict', ...REGO_ONLY, 'policies']);
  checkMetadata();
  testWithCoverage();
  const wasm = compile();
  const texts = sources();
  const manifest = `${JSON.stringify(
    {
      revision: revisionOf(texts),
      wasm_digest: sha256(wasm),
      entrypoints: Object.fromEntries(ENTRYPOINTS.map((name) => [name, `countersign/${name}/decision`])),
      sources: Object.keys(texts),
    },
    null,
    2,
  )}\n`;
  const files = { 'policy.wasm': wasm, 'manifest.json': Buffer.from(manifest) };
  if (check) {
    for (const [name, bytes] of Object.entries(files)) {
      const committed = join(bundleFolder, name);
      if (!existsSync(committed) || !readFileSync(committed).equals(bytes)) {
        throw new Refusal(`policies/bundle/${name} differs from a rebuild: run npm run policies and commit it`);
      }
    }
    process.stdout.write('policies: the committed bundle is what the sources compile to\n');
    return;
  }
  mkdirSync(bundleFolder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(bundleFolder, name), bytes);
  process.stdout.write(`policies: bundle ${revisionOf(texts)}\n`);
}

try {
  main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`policies: ${error.message}\n`);
  process.exitCode = 1;
}
