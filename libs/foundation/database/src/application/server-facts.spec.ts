import { hostThatWrites, refusalOf, type ServerFacts } from './server-facts.js';

const primary = (timeline = 1, system = 'a', started = 'noon'): ServerFacts => ({
  writes: true,
  ...{ system, timeline, started },
});
const standby: ServerFacts = { writes: false, system: 'a', timeline: 0, started: 'dawn' };

describe('the host that writes', () => {
  it.each([
    ['the only one', [primary()], null, 0],
    ['the one beside a standby', [standby, primary()], null, 1],
    ['none', [standby, null], null, null],
    ['the promoted one beside a former primary', [primary(1), primary(2)], null, 1],
    ['the promoted one, in whatever order', [primary(3), primary(2)], null, 0],
    ['no former primary once another was promoted', [primary(1), null], { system: 'a', timeline: 2 }, null],
    ['no other cluster', [primary(5, 'b')], { system: 'a', timeline: 1 }, null],
    ['neither of two that were promoted apart', [primary(2), standby, primary(2, 'a', 'later')], null, 'two'],
    ['none beside them, either', [primary(2), primary(2, 'a', 'later')], { system: 'a', timeline: 2 }, 'two'],
    ['the promoted one beside two former ones', [primary(1), primary(1, 'a', 'later'), primary(2)], null, 2],
    ['one server by its first address', [primary(2), primary(2)], null, 0],
    ['the same one again', [primary(2), standby], { system: 'a', timeline: 2 }, 0],
  ] as const)('is %s', (_what, found, known, host) => {
    expect(hostThatWrites(found, known)).toBe(host);
  });

  it.each([
    [standby, null, 'database.unavailable'],
    [primary(1), { system: 'a', timeline: 2 }, 'database.former_primary'],
    [primary(2, 'b'), { system: 'a', timeline: 2 }, 'database.another_cluster'],
    [primary(3), { system: 'a', timeline: 2 }, undefined],
  ] as const)('a server is refused by its code: %j after %j', (facts, known, code) => {
    expect(refusalOf(facts, known)?.code).toBe(code);
  });
});
