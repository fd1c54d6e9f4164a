import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4096;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/**
 * The form in which PostgreSQL keeps a password (RFC 5802 section 3 and RFC 7677, in the spelling of `pg_authid.rolpassword`). A role that is
 * created with it never has its password in a statement, which servers write to their logs.
 *
 * @param salt random, but for a test.
 */
export function scramVerifier(password: string, salt: Uint8Array = randomBytes(SALT_BYTES)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${String(ITERATIONS)}:${Buffer.from(salt).toString('base64')}$${stored}:${server}`;
}
