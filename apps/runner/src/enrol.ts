import { FailureError } from '#lib/kernel';
import { PlaneError, type Plane } from './plane.js';
import type { KeyFile, RunnerIdentity } from './runner-key.js';

/** A key that is older is replaced. */
const KEY_LIFETIME_MS = 30 * 24 * 3_600_000;

/**
 * The identity of this runner: from its file, or by exchanging the one-time token. The new key is on the disk before Countersign
 * hears of it.
 *
 * @throws {FailureError} `runner.not_enrolled`, and the code of Countersign's refusal.
 */
export async function identityOf(
  keys: KeyFile,
  plane: Pick<Plane, 'enrol'>,
  { token, version, now }: { readonly token: string | null; readonly version: string; readonly now: number },
): Promise<RunnerIdentity> {
  const known = await keys.read();
  if (known !== null) return known;
  if (token === null) throw new FailureError(notEnrolled);
  const privateKey = await keys.next();
  try {
    const { tenant_id, runner_id, key_id } = await plane.enrol(token, privateKey.x, version);
    const identity = { tenant_id, runner_id, key_id, private_key: privateKey, made_at: now };
    await keys.write(identity);
    return identity;
  } catch (error) {
    if (!(error instanceof PlaneError)) throw error;
    const stolen = error.code === 'runner.enrolment_refused' ? ` ${USED_BY_ANOTHER}` : '';
    const action = `Look at the address and the token. A token works once, within an hour: \`countersign runner add\`.${stolen}`;
    throw new FailureError({ kind: 'unavailable', code: error.code, message: error.message, action }, { cause: error });
  }
}

/** Replaces a key that has become old: the old key signs the new one in. @returns the identity from now on. */
export async function rotateIfOld(
  keys: KeyFile,
  plane: Pick<Plane, 'rotate' | 'use'>,
  identity: RunnerIdentity,
  now: number,
): Promise<RunnerIdentity> {
  if (now - identity.made_at < KEY_LIFETIME_MS) return identity;
  const privateKey = await keys.next();
  const next = { ...identity, key_id: await plane.rotate(privateKey.x), private_key: privateKey, made_at: now };
  await keys.write(next);
  plane.use(next);
  return next;
}

/** If somebody else read a token, it enrols their machine. The machine that it was meant for is refused. */
const USED_BY_ANOTHER =
  'If `countersign runner list` shows the runner as enrolled, and this machine never was, another machine used the token: revoke that runner.';

const notEnrolled = {
  kind: 'unavailable',
  code: 'runner.not_enrolled',
  message: 'This runner has no key yet, and no one-time token to get one with.',
  action: 'Add it with `countersign runner add`, and name a file with the token in COUNTERSIGN_RUNNER_TOKEN_FILE.',
} as const;
