import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const METRIC = /countersign_[a-z]+(?:_[a-z]+)*/g;
/** Parts of one metric in an expression: a histogram has a counter of its own. */
const metricOf = (name: string): string => name.replace(/_count$/, '');

const runbook = read('docs/runbook.md');
const [, block = ''] = /```yaml alerts\.yaml\n([^]*?)```/.exec(runbook) ?? [];
const { groups } = parse(block) as { groups: { rules: { alert: string; expr: string }[] }[] };
const rules = groups.flatMap((group) => group.rules);

const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
);

/** The names that the code gives its metrics; those of live states are made of a kind. */
function named(): readonly string[] {
  const states = ['plans', 'simulations', 'approval_requests', 'runs'].map((kind) => `countersign_${kind}`);
  const literal = sources.flatMap((text) =>
    [...text.matchAll(/name: '(countersign_[a-z_]+)'/g)].map(([, name = '']) => name),
  );
  return [...new Set([...literal, ...states])].sort();
}

describe('the runbook', () => {
  it('has a heading for each alert', () => {
    const headings = [...runbook.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect(rules.length).toBeGreaterThan(5);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
  });

  it('alerts by metrics that there are', () => {
    const used = rules.flatMap(({ expr }) => [...expr.matchAll(METRIC)].map(([name]) => metricOf(name)));
    expect([...new Set(used)].filter((name) => !named().includes(name))).toEqual([]);
  });
});

describe('a metric', () => {
  it('is described in docs/operating.md', () => {
    const described = [...read('docs/operating.md').matchAll(METRIC)].map(([name]) => name);
    expect(named().filter((name) => !described.includes(name))).toEqual([]);
  });

  it('is named as Prometheus does: a counter ends with _total, a duration with its unit', () => {
    const counters = sources.flatMap((text) =>
      [...text.matchAll(/new Counter\b/g)].map(({ index }) => /name: '([^']+)'/.exec(text.slice(index))?.[1]),
    );
    expect(counters).toContain('countersign_router_cell_unavailable_total');
    expect(counters.length).toBeGreaterThan(4);
    expect(counters.filter((name) => name?.endsWith('_total') !== true)).toEqual([]);
    expect(named().filter((name) => /_(age|lag|duration)$|_ms$/.test(name))).toEqual([]);
  });
});
