import { passedWaits } from '../../../../test/support/passed-waits.js';
import { Metrics } from './metrics.js';

passedWaits((ms) => ms === 3_000);

describe('a gauge that cannot be read', () => {
  /** The lines of a scrape about the gauges of this file. */
  const scraped = async (metrics: Metrics): Promise<readonly string[]> =>
    (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => /^countersign_(lag|waiting|sound|unread)/.test(line));

  it.each([
    ['fails', () => Promise.reject(new Error('The database is away.'))],
    ['gets no answer', () => new Promise<never>(() => undefined)],
  ])('is left out of the scrape if its reading %s, and all others stay', async (_what, unread) => {
    const metrics = new Metrics({ collectProcess: false });
    let sound = true;
    const reading =
      (set: () => void): (() => Promise<void>) =>
      () => {
        if (!sound) return unread();
        set();
        return Promise.resolve();
      };
    metrics.gauge({
      name: 'countersign_lag',
      help: 'A gauge without labels',
      collect: (gauge) =>
        reading(() => {
          gauge.set(7);
        })(),
    });
    metrics.gauge<'queue'>({
      name: 'countersign_waiting',
      help: 'A gauge with a label',
      labelNames: ['queue'],
      collect: (gauge) =>
        reading(() => {
          gauge.set({ queue: 'a' }, 1);
        })(),
    });
    metrics.gauge({
      name: 'countersign_sound',
      help: 'A gauge that asks nobody',
      collect: (gauge) => {
        gauge.set(3);
        return Promise.resolve();
      },
    });
    expect(await scraped(metrics)).toEqual([
      'countersign_lag 7',
      'countersign_waiting{queue="a"} 1',
      'countersign_sound 3',
    ]);
    sound = false;
    await scraped(metrics);
    expect(await scraped(metrics)).toEqual([
      'countersign_unread_metrics_total{metric="countersign_lag"} 1',
      'countersign_unread_metrics_total{metric="countersign_waiting"} 1',
      'countersign_sound 3',
    ]);
  });
});
