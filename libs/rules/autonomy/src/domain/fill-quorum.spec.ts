import * as fc from 'fast-check';
import { canEverFill, canFill, type RoleHolders } from './fill-quorum.js';

const held = (people: number, ...roles: string[]): RoleHolders => ({ people, roles });
const slot = (count: number, ...roles: string[]) => ({ count, roles });

describe('filling a quorum', () => {
  it.each<[string, ReturnType<typeof slot>[], RoleHolders[], boolean]>([
    ['one of one', [slot(1, 'a')], [held(1, 'a')], true],
    ['nobody holds the role', [slot(1, 'a')], [held(3, 'b')], false],
    ['one person cannot be two', [slot(1, 'a'), slot(1, 'b')], [held(1, 'a', 'b')], false],
    ['two people with both roles', [slot(1, 'a'), slot(1, 'b')], [held(2, 'a', 'b')], true],
    ['whoever can be moved makes room', [slot(1, 'a', 'b'), slot(1, 'a')], [held(1, 'a'), held(1, 'b')], true],
    ['any is everybody', [slot(3, 'any')], [held(1), held(2, 'x')], true],
    ['any is nobody more', [slot(4, 'any')], [held(1), held(2, 'x')], false],
    [
      'three take turns',
      [slot(1, 'a', 'b'), slot(1, 'b', 'c'), slot(1, 'c')],
      [held(1, 'a'), held(1, 'b'), held(1, 'c')],
      true,
    ],
  ])('%s', (_, slots, holders, expected) => {
    expect(canFill(slots, holders)).toBe(expected);
  });

  it('leaves the requester out', () => {
    expect(canEverFill([slot(1, 'a')], [held(1, 'a')])).toBe(false);
    expect(canEverFill([slot(1, 'a')], [held(1, 'a'), held(1)])).toBe(true);
    expect(canEverFill([slot(2, 'a')], [held(2, 'a'), held(1, 'b')])).toBe(true);
    expect(canEverFill([slot(1, 'any')], [])).toBe(false);
  });

  it('agrees with trying everybody in every slot', () => {
    const role = fc.constantFrom<string>('a', 'b', 'c');
    const slots = fc.array(
      fc.record({ count: fc.integer({ min: 1, max: 2 }), roles: fc.uniqueArray(role, { minLength: 1 }) }),
      { maxLength: 3 },
    );
    const holders = fc.array(fc.record({ people: fc.integer({ min: 0, max: 2 }), roles: fc.uniqueArray(role) }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(slots, holders, (asked, there) => {
        const slotsOfOne = asked.flatMap(({ count, roles }) => Array.from({ length: count }, () => roles));
        const people = there.flatMap(({ people: count, roles }) => Array.from({ length: count }, () => roles));
        const seat = (at: number, free: readonly (readonly string[])[]): boolean => {
          const wanted = slotsOfOne[at];
          return (
            wanted === undefined ||
            free.some(
              (roles, index) =>
                roles.some((role) => wanted.includes(role)) &&
                seat(
                  at + 1,
                  free.filter((_, other) => other !== index),
                ),
            )
          );
        };
        return canFill(asked, there) === seat(0, people);
      }),
      { numRuns: 500 },
    );
  });
});
