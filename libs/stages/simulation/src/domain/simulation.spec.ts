import { expiryOf } from './simulation.js';
import { validMinutesIn } from './valid-minutes.js';

it('a result counts for its minutes', () => {
  expect(expiryOf({ finishedAt: 1_000 }, 2)).toBe(121_000);
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
