import { progressReporter } from './impact-progress.js';

const said = (...steps: readonly (readonly [looked: number, renewals: number])[]): string[] => {
  const lines: string[] = [];
  const tell = progressReporter((line) => lines.push(line));
  for (const [looked, renewals] of steps) tell({ looked, to_look_at: 20_000 }, renewals);
  return lines;
};

describe('the progress of a report', () => {
  it('is told once for each tenth', () => {
    const all = Array.from({ length: 101 }, (_, batch) => [batch * 200, 0] as const);
    const lines = said(...all);
    expect(lines).toHaveLength(11);
    expect(lines.slice(0, 2)).toEqual(['0 of 20,000 decisions', '2,000 of 20,000 decisions']);
  });

  it('is told anew if the report begins anew', () => {
    expect(said([200, 0], [200, 1])).toEqual([
      '200 of 20,000 decisions',
      '200 of 20,000 decisions, again, since settings have moved',
    ]);
  });

  it('is told of a period without decisions', () => {
    const lines: string[] = [];
    progressReporter((line) => lines.push(line))({ looked: 0, to_look_at: 0 }, 0);
    expect(lines).toEqual(['0 of 0 decisions']);
  });
});
