import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '#lib/database';
import { enrol, type BenchTenant, type Send } from './bench-tenant.js';

interface Operator {
  /** The settings of the installation. */
  readonly env: Readonly<Record<string, string>>;
  /** A path for the invitation, at which no file exists. */
  readonly invitation: string;
  /** The built package. */
  readonly folder?: string;
}

/** Lets a lead in as the operator does: in no hand but their own. @returns their token. */
export async function letReviewerIn(
  send: Send,
  { admin, slug }: BenchTenant,
  { env, invitation, folder = packageRoot() }: Operator,
): Promise<string> {
  const email = 'reviewer@example.com';
  const person = await send('POST', '/v1/people', { email, display_name: 'Reviewer' }, admin);
  await send('POST', `/v1/people/${String(person.id)}/roles`, { role: 'SRELead' }, admin);
  const cli = join(folder, 'dist', 'programs', 'cli', 'main.js');
  const command = [cli, 'bootstrap', '--person', email, '--tenant', slug, '--save-invitation', invitation];
  await promisify(execFile)(process.execPath, command, { env: { ...process.env, ...env } });
  const token = await enrol(send, (await readFile(invitation, 'utf8')).trim(), ['read', 'review']);
  await rm(invitation);
  return token;
}
