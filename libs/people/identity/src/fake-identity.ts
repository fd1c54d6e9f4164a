import { fakeSecretDigests } from '../../../foundation/kernel/src/fake-secret-digests.js';
import { unasked } from '../../../foundation/kernel/src/fake-unasked.js';
import type { FakeUnitOfWork } from '../../../foundation/kernel/src/fake-unit-of-work.js';
import { nodeRandomBytes } from './adapters/node-random-bytes.js';
import { createIdentity, type Directory, type IdentityDeps } from './create-identity.js';

type Given = Partial<Omit<IdentityDeps, 'directory'>> & Partial<Directory>;

/** The use cases of people and credentials, over the rows and the parts that a test gives. */
export function fakeIdentity(
  uow: FakeUnitOfWork,
  { people, agents, credentials, enrolments, seats, ...given }: Given = {},
) {
  return createIdentity({
    uow,
    directory: {
      people: people ?? unasked(),
      agents: agents ?? unasked(),
      credentials: credentials ?? unasked(),
      enrolments: enrolments ?? unasked(),
      seats: seats ?? unasked(),
    },
    rows: {
      bootstraps: unasked(),
      credentialFile: unasked(),
      leftBehind: unasked(),
      roles: unasked(),
      budgetOf: () => unasked(),
    },
    ...{ digests: fakeSecretDigests, random: nodeRandomBytes },
    ...{ audit: unasked(), outbox: unasked(), twoPersonRule: unasked(), tenants: unasked() },
    ...{ proofs: unasked(), passkeys: unasked(), agentDisabled: [] },
    ...given,
  });
}
