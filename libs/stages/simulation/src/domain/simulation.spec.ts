import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { samplePlan } from '../../../plan/src/application/fake-plan.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import { begun, failed, outdated, samplePending, succeeded } from '../application/fake-simulation.js';
import { expiryOf, isFresh } from './simulation.js';
import { validMinutesIn } from './valid-minutes.js';

const tenant = sampleTenant();
const pending = samplePending(samplePlan(tenant, sampleTask(tenant)));
const done = succeeded(begun(pending));

describe('a result', () => {
  it('counts up to its last millisecond', () => {
    expect(expiryOf(done, 2)).toBe(done.finishedAt + 120_000);
    expect(isFresh(done, done.finishedAt + 120_000, 2)).toBe(true);
    expect(isFresh(done, done.finishedAt + 120_001, 2)).toBe(false);
  });

  it.each([pending, begun(pending), failed(begun(pending)), outdated(done)])(
    'never counts if it is $state',
    (other) => {
      expect(isFresh(other, done.finishedAt, 2)).toBe(false);
    },
  );
});

describe('how long a result counts', () => {
  const document = (tenants?: number, production?: number) => ({
    autonomy: {
      mode: 'full_auto' as const,
      ...(tenants === undefined ? {} : { simulation_valid_minutes: tenants }),
      environments: {
        production: {
          mode: 'full_auto' as const,
          ...(production === undefined ? {} : { simulation_valid_minutes: production }),
        },
      },
    },
  });

  it.each([
    ['a day without a document', null, 1_440],
    ['a day if the document says nothing', document(), 1_440],
    ['as long as the document says', document(30), 30],
    ['as long as the document says of the environment', document(30, 5), 5],
  ])('is %s', (_what, inForce, minutes) => {
    expect(validMinutesIn(inForce, 'production')).toBe(minutes);
  });

  it('is never that of another environment', () => {
    expect(validMinutesIn(document(30, 5), 'staging')).toBe(30);
  });
});
