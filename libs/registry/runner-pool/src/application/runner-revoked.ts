import type { Failure } from '#lib/kernel';

/** Told to the holder of the key alone: the machine then stops. */
export const runnerRevoked: Failure = {
  kind: 'forbidden',
  code: 'runner.revoked',
  message: 'This runner, or this key of it, was revoked.',
  action: 'Stop it. Add it again with `countersign runner add` if it is to work here.',
};
