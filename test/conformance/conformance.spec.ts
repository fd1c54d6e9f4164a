import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findSuite } from '../../tools/conformance-suite.mjs';
import { startFixtureServer } from './fixture-server.js';
import { LEFT_OUT, PASSING, REVISION } from './scenarios.js';

/** One thing that a scenario looks at. */
interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

const SUITE_MS = 120_000;

/** The checks of each scenario that the suite ran. */
const checks = new Map<string, readonly Check[]>();

async function suite(...given: readonly string[]): Promise<string> {
  const [node, program] = findSuite() ?? [];
  if (node === undefined || program === undefined) throw new Error('run it by: npm run test:conformance');
  const child = spawn(node, [program, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
  // Its exit code says that a scenario failed. The checks say which.
  return text(child.stdout);
}

beforeAll(async () => {
  const out = mkdtempSync(join(tmpdir(), 'conformance-'));
  const server = await startFixtureServer();
  try {
    await suite('server', '--url', server.url, '--requirements', REVISION, '--output-dir', out);
    for (const folder of readdirSync(out)) {
      const name = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder;
      checks.set(name, JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')) as Check[]);
    }
  } finally {
    await server.close();
    rmSync(out, { recursive: true, force: true });
  }
}, SUITE_MS);

describe(`the conformance suite of MCP for servers of ${REVISION}`, () => {
  it('runs the scenarios that stand in one of the two lists, and no other', () => {
    const known = [...PASSING, ...Object.keys(LEFT_OUT)];
    expect([...checks.keys()].toSorted()).toEqual(known.toSorted());
    expect(new Set(known).size).toBe(known.length);
  });

  it.each(PASSING)('passes %s', (name) => {
    const found = checks.get(name) ?? [];
    expect(found.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')).toEqual([]);
    expect(found.some(({ status }) => status === 'SUCCESS')).toBe(true);
  });

  it.each(Object.keys(LEFT_OUT))('still needs to leave out %s', (name) => {
    const found = checks.get(name) ?? [];
    expect(found.every(({ status }) => status === 'SUCCESS')).toBe(false);
  });
});
