import { performance } from 'node:perf_hooks';
import { EmergencyAllowance } from './emergency-allowance.js';

describe('the allowance of emergencies', () => {
  let clock: jest.SpyInstance<number>;
  beforeEach(() => {
    clock = jest.spyOn(performance, 'now');
  });
  afterEach(() => {
    clock.mockRestore();
  });
  const taken = (allowance: EmergencyAllowance, holder: string, calls: number): boolean[] =>
    Array.from({ length: calls }, () => allowance.take(holder));

  it('is thirty calls in a minute for each holder, and again in the next minute', () => {
    const allowance = new EmergencyAllowance();
    clock.mockReturnValue(1_000);
    expect(taken(allowance, 'ada', 31)).toEqual([...Array.from({ length: 30 }, () => true), false]);
    expect(allowance.take('bot')).toBe(true);
    clock.mockReturnValue(60_999);
    expect(allowance.take('ada')).toBe(false);
    clock.mockReturnValue(61_000);
    expect(taken(allowance, 'ada', 31)).toEqual([...Array.from({ length: 30 }, () => true), false]);
  });

  it('forgets the oldest of more than 10,000 holders', () => {
    const allowance = new EmergencyAllowance();
    clock.mockReturnValue(1_000);
    taken(allowance, 'oldest', 31);
    taken(allowance, 'second', 31);
    for (let holder = 2; holder < 10_000; holder += 1) allowance.take(String(holder));
    expect(allowance.take('oldest')).toBe(false);
    allowance.take('one more');
    expect(allowance.take('second')).toBe(false);
    expect(allowance.take('oldest')).toBe(true);
  });
});
