import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forgeApproval } from '../forge-approval.js';
import { OffScriptError, until, type Stage } from '../stage.js';

/**
 * Writes the evidence pack of a plan, and checks it with the command line offline. It also checks a copy with one bit flipped.
 */
export async function proveIt(
  { cast: { rita, sam, lea }, narrator }: Stage,
  root: string,
  directory: string,
  planId: string,
): Promise<readonly string[]> {
  narrator.scene('A security reviewer proves it, offline');
  const { text: pack } = await narrator.during(
    'assembling the evidence',
    rita.client.answer('POST', '/v1/plans/{id}/evidence', { path: { id: planId }, body: { held: [] } }),
  );
  const keys = await until(
    'the audit key',
    () => rita.client.get('/v1/audit/keys'),
    ({ items }) => items.length > 0,
  );
  const files = {
    pack: join(directory, 'evidence.json'),
    flipped: join(directory, 'evidence-flipped.json'),
    keys: join(directory, 'audit-keys.txt'),
    approvers: join(directory, 'approver-keys.txt'),
    forged: join(directory, 'evidence-forged.json'),
  };
  writeFileSync(files.pack, pack, { mode: 0o600 });
  writeFileSync(files.keys, `${keys.items.map(({ key }) => key).join('\n')}\n`);
  narrator.act(
    'Rita',
    `asks for the evidence pack (${String(Math.round(pack.length / 1_024))} KiB) and checks it without server, network or database:`,
  );
  const approvers: string[] = [];
  for (const { id, passkey } of [sam, lea]) {
    const { items } = await rita.client.get('/v1/approver-keys', { query: { person_id: id } });
    const read = items.find(({ line }) => line.includes(` ${passkey.passkeyId} ${passkey.publicKey} `));
    if (read === undefined) throw new OffScriptError('the server shows another key than that of the passkey');
    approvers.push(`# ${read.person.display_name}, fingerprint ${read.fingerprint}`, read.line);
  }
  writeFileSync(files.approvers, `${approvers.join('\n')}\n`);
  narrator.aside(
    '  She kept the keys of Sam and Lea, compared by voice. Their passkeys are software of this demo, not hardware.',
  );
  const checked = verify(root, files.pack, files.keys, files.approvers);
  for (const line of checked.lines.slice(-5)) narrator.say(`  ${line}`);
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

  narrator.act(
    'Mallory',
    'has the server itself, with keyring and signing key: she invents Sam’s approval with a passkey of her own, and signs the whole log anew',
  );
  const [auditKey] = keys.items;
  const forged = await forgeApproval(pack, sam.id, join(directory, 'keys'), auditKey?.key ?? '');
  writeFileSync(files.forged, forged, { mode: 0o600 });
  const believed = verify(root, files.forged, files.keys);
  if (believed.status !== 0)
    throw new OffScriptError(`the forged pack is not consistent:\n${believed.lines.join('\n')}`);
  narrator.say('  without approver keys it verifies, and says whose word that is:');
  for (const line of believed.lines.filter((text) => text.includes('Sam approved'))) narrator.say(`  ${line}`);
  const refuted = verify(root, files.forged, files.keys, files.approvers);
  if (refuted.status !== 3) throw new OffScriptError(`the forged pack ended with ${String(refuted.status)}, not 3`);
  for (const line of refuted.lines.filter((text) => text.includes('FAIL') || text.includes('approver.')))
    narrator.no(line.trim());
  return [files.pack, files.keys, files.approvers];
}

function verify(
  root: string,
  pack: string,
  keys: string,
  approvers?: string,
): { status: number | null; lines: string[] } {
  const args = [join(root, 'dist/programs/cli/main.js'), 'verify', pack, '--key', keys];
  if (approvers !== undefined) args.push('--approver-keys', approvers);
  // An empty environment: nothing to reach a server with.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { NO_COLOR: '1' } });
  return { status, lines: `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '') };
}
