import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OffScriptError, until, type Stage } from '../stage.js';

/** Writes the evidence pack of a plan, checks it with the command line offline, and a copy with one bit flipped. */
export async function proveIt(
  { cast: { rita }, narrator }: Stage,
  root: string,
  directory: string,
  planId: string,
): Promise<readonly string[]> {
  narrator.scene('A security reviewer proves it, offline');
  const pack = await narrator.during('assembling the evidence', rita.client.audit.evidence(planId));
  const keys = await until(
    'the audit key',
    () => rita.client.audit.keys(),
    ({ items }) => items.length > 0,
  );
  const files = {
    pack: join(directory, 'evidence.json'),
    flipped: join(directory, 'evidence-flipped.json'),
    keys: join(directory, 'audit-keys.txt'),
  };
  writeFileSync(files.pack, pack, { mode: 0o600 });
  writeFileSync(files.keys, `${keys.items.map(({ key }) => key).join('\n')}\n`);
  narrator.act(
    'Rita',
    `asks for the evidence pack (${String(Math.round(pack.length / 1_024))} KiB) and checks it without server, network or database:`,
  );
  const checked = verify(root, files.pack, files.keys);
  for (const line of checked.lines.slice(-3)) narrator.say(`  ${line}`);
  if (checked.status !== 0) throw new OffScriptError(`the evidence does not verify:\n${checked.lines.join('\n')}`);

  const bytes = readFileSync(files.pack);
  const position = bytes.indexOf('web-2026') + 'web-2026.'.length;
  bytes[position] = (bytes[position] ?? 0) ^ 1;
  writeFileSync(files.flipped, bytes, { mode: 0o600 });
  narrator.act('Mallory', 'flips one bit of a copy');
  const tampered = verify(root, files.flipped, files.keys);
  if (tampered.status !== 3) throw new OffScriptError(`the tampered pack ended with ${String(tampered.status)}, not 3`);
  for (const line of tampered.lines.filter((text) => text.includes('FAIL') || text.includes('does not verify')))
    narrator.no(line.trim());
  return [files.pack, files.keys];
}

function verify(root: string, pack: string, keys: string): { status: number | null; lines: string[] } {
  const args = [join(root, 'dist/apps/cli/src/main.js'), 'verify', pack, '--key', keys];
  // An empty environment: nothing to reach a server with.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { NO_COLOR: '1' } });
  return { status, lines: `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '') };
}
