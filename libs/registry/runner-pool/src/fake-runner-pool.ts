import { fakeSecretDigests } from '../../../foundation/kernel/src/fake-secret-digests.js';
import { FakeTwoPersonRule } from '../../../foundation/kernel/src/fake-two-person-rule.js';
import { FakeUnitOfWork } from '../../../foundation/kernel/src/fake-unit-of-work.js';
import { createRunnerPool, type RunnerPoolDeps } from './create-runner-pool.js';

/** The use cases of runners over the rows of a test. A part that it does not give knows nothing. */
export const fakeRunnerPool = (given: Pick<RunnerPoolDeps, 'uow' | 'rows'> & Partial<RunnerPoolDeps>) =>
  createRunnerPool({
    signals: { listen: () => ({ next: () => Promise.resolve(), close: () => undefined }) },
    wake: () => undefined,
    digests: fakeSecretDigests,
    secrets: { resolveAll: () => Promise.resolve(new Map()) },
    environments: { names: () => Promise.resolve([]) },
    tools: { get: () => Promise.resolve(null) },
    twoPersonRule: new FakeTwoPersonRule(new FakeUnitOfWork()),
    audit: { record: () => Promise.resolve() },
    sessions: { open: () => Promise.resolve([]) },
    publicUrl: 'https://countersign.example',
    offerMs: 15_000,
    ...given,
  });
