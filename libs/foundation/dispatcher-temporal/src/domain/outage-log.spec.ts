import { OutageLog } from './outage-log.js';

describe('an outage', () => {
  it('is told once for each reason, also if they take turns', () => {
    const outage = new OutageLog();
    const told = ['refused', 'silent', 'refused', 'silent'].map((reason, second) =>
      outage.isNews(reason, second * 1_000),
    );
    expect(told).toEqual([true, true, false, false]);
  });

  it('is told again every ten minutes', () => {
    const outage = new OutageLog();
    const told = [0, 599_999, 600_000, 600_001].map((now) => outage.isNews('refused', now));
    expect(told).toEqual([true, false, true, false]);
  });

  it('ends once, and the next one is news', () => {
    const outage = new OutageLog();
    expect(outage.end()).toBe(false);
    outage.isNews('refused', 0);
    expect([outage.end(), outage.end(), outage.isNews('refused', 1)]).toEqual([true, false, true]);
  });
});
