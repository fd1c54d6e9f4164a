import type { Json } from '#lib/canonical';
import { batchReferencesIn, holdsString, substituteBatch } from './substitute-batch.js';

describe('the references to a batch', () => {
  it('get its targets wherever they stand, and everything else stays', () => {
    const rest = { until: null, count: 1, names: ['$batch'] };
    const args = { all: { $batch: 'targets' }, hosts: [{ name: { $batch: 'target' } }], ...rest };
    expect(batchReferencesIn(args)).toEqual({ used: new Set(['targets', 'target']), malformed: [] });
    expect(substituteBatch(args, { targets: ['a', 'b'], target: 'a' })).toEqual({
      all: ['a', 'b'],
      hosts: [{ name: 'a' }],
      ...rest,
    });
  });

  it('are found by their pointers if they name nothing, or do not stand alone', () => {
    const args = { 'a/b': [null, { $batch: 'all' }], c: { $batch: 'target', more: 1 } };
    expect(batchReferencesIn(args)).toEqual({ used: new Set(), malformed: ['/a~1b/1', '/c'] });
  });
});

it.each<[boolean, Json]>([
  [true, 'a'],
  [true, { b: [{ c: 'a' }] }],
  [false, { a: ['b', null, 1] }],
])('a text stands in a value: %s for %j', (holds, value) => {
  expect(holdsString(value, 'a')).toBe(holds);
});
