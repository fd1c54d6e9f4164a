import { readFileSync } from 'node:fs';
import { testDatabase, type TestDatabase } from '../support/database.js';

/**
 * Tables without a seal that a database login may write, and that no decision rests on. Each has its reason. All
 * other tables stand in docs/threats.md, with the gain of such a login and its trace (T42).
 */
const NOTHING_GAINED: Readonly<Record<string, string>> = {
  approval_claim: 'a hint that keeps nobody from a review',
  approval_look: 'a measurement',
  audit_checkpoint: 'a signature that the keyring makes',
  audit_entry: 'below the table of threats.md',
  audit_epoch: 'append-only; each checkpoint names its epoch',
  audit_evidence: 'append-only; an offline check computes it again',
  audit_leaf: 'append-only; an offline check computes it again',
  audit_node: 'append-only; an offline check computes it again',
  audit_publication: 'a note that a checkpoint was published',
  audit_signing_key: 'a key whose private half is not in the data folder signs nothing',
  automation_revision: 'append-only; the seal of its automation covers the digest of the source in force',
  autonomy_head: 'a trigger lets none but the newest document be in force, and that one is sealed',
  bootstrap_token: 'holds an HMAC under the keyring',
  comment_recipient: 'whether a comment counts as read',
  mcp_definition: 'append-only; tool versions name it by digest',
  mcp_look: 'the words of a stranger, which bind nobody',
  runner_mcp_server: 'the words of a stranger; the runner holds the digest in a grant against the server itself',
  passkey_registration: 'takes a session of the person',
  passkey_sign_in: 'takes the passkey itself',
  plan_target: 'what a search finds',
  plan_tool: 'what a search finds',
  policy_bundle: 'append-only; policies are loaded from the package',
  precedent: 'history that nothing rests on',
  precedent_erasure: 'what a search does not find',
  precedent_gram: 'what a search finds',
  precedent_term: 'what a search finds',
  precedent_trait: 'what a search finds',
  precedent_vector: 'what a search finds',
  production_change: 'a line of a report',
  push_key: 'ciphertext under the keyring',
  recovery_code: 'holds an HMAC under the keyring',
  run_event: 'append-only; what a page tells of a run',
  runner_output: 'only added to; text that a page shows',
  tool_call_output: 'append-only; text that a page shows',
  tool_call_output_pending: 'ciphertext under the keyring',
  runner_proof: 'a proof is good for a minute, and its key signs it',
  search_word: 'what a search finds',
  secret: 'ciphertext under the keyring',
  sign_in_transaction: 'holds HMACs under the keyring',
  session_agent: 'append-only; the seal of its session names its agents',
  simulation_outcome: 'a measurement',
  slack_app_waiting: 'ciphertext under the keyring',
  slack_install_attempt: 'holds an HMAC under the keyring',
  slack_link_code: 'holds an HMAC under the keyring',
  slack_pace: 'when the next message may be sent',
  automation_secret: 'ciphertext under the keyring',
  webhook_secret: 'ciphertext under the keyring',
};

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const HEADING = '## Changes that a database login can still make, and their traces';

/** Tables that are named in that section, with or without a column. */
function listed(): ReadonlySet<string> {
  const text = readFileSync('docs/threats.md', 'utf8');
  const [, section = ''] = text.split(HEADING);
  return new Set([...section.matchAll(/`([a-z_]+)(?:\.[a-z_]+)?`/g)].map(([, name = '']) => name));
}

async function writable(sealed: boolean): Promise<string[]> {
  const { rows } = await db.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and (has_table_privilege('countersign_app', c.oid, 'insert') or has_table_privilege('countersign_app', c.oid, 'delete')
          or exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                       and has_column_privilege('countersign_app', c.oid, a.attnum, 'update')))
        and $1 = exists (select from pg_attribute a where a.attrelid = c.oid and a.attname in ('seal', 'previous_seal') and not a.attisdropped)
      order by 1`,
    [sealed],
  );
  return rows.map(({ name }) => name);
}

describe('the changes of a database login alone (T42)', () => {
  it('stand in docs/threats.md for every writable table without a seal', async () => {
    const named = listed();
    const unsealed = await writable(false);
    expect(unsealed.filter((name) => !named.has(name) && !(name in NOTHING_GAINED))).toEqual([]);
  });

  it('are listed once: a table is listed there, or gives nothing', async () => {
    const [named, unsealed] = [listed(), await writable(false)];
    expect(Object.keys(NOTHING_GAINED).filter((name) => named.has(name) && name !== 'audit_entry')).toEqual([]);
    expect(Object.keys(NOTHING_GAINED).filter((name) => !unsealed.includes(name))).toEqual([]);
  });

  it('read both from the schema and the document', async () => {
    expect(await writable(true)).toEqual(expect.arrayContaining(['review', 'role_assignment', 'call_grant']));
    expect(listed()).toContain('agent');
  });
});
