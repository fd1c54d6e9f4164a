import fc from 'fast-check';
import { checkOf, COMPARISONS, type Condition, evaluateCondition, formatCondition, metricsOf } from './condition.js';
import { MAX_CONDITION_DEPTH, parseCondition } from './parse-condition.js';

const metric = fc.constantFrom('web.error_rate', 'web.unhealthy', 'db-1.lag_seconds', 'q.p99');
const compare = fc.record({
  kind: fc.constant('compare' as const),
  metric,
  op: fc.constantFrom(...COMPARISONS),
  value: fc.oneof(
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 1_000),
    fc.double({ min: -0.000001, max: 0.000001, noNaN: true }).map((n) => (n === 0 ? 0 : n)),
  ),
});
const condition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    compare,
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('node'), right: tie('node') }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('node') }),
  ),
})).node;
const fullMetrics = fc.record({
  'web.error_rate': fc.double({ noNaN: true, noDefaultInfinity: true }),
  'web.unhealthy': fc.integer(),
  'db-1.lag_seconds': fc.integer(),
  'q.p99': fc.integer(),
});

/** The condition as JavaScript would see it: an oracle that shares no code with the evaluator. */
const oracle = (tree: Condition, metrics: Readonly<Record<string, number>>): boolean => {
  switch (tree.kind) {
    case 'not':
      return !oracle(tree.operand, metrics);
    case 'and':
      return oracle(tree.left, metrics) && oracle(tree.right, metrics);
    case 'or':
      return oracle(tree.left, metrics) || oracle(tree.right, metrics);
    case 'compare': {
      const sign = Math.sign((metrics[tree.metric] ?? Number.NaN) - tree.value);
      return { '>': sign > 0, '>=': sign >= 0, '<': sign < 0, '<=': sign <= 0, '==': sign === 0, '!=': sign !== 0 }[
        tree.op
      ];
    }
  }
};

const parsed = (text: string): Condition => {
  const result = parseCondition(text);
  if (!result.ok) throw new Error(`${text}: ${result.error.message} at ${String(result.error.position)}`);
  return result.value;
};

describe('conditions', () => {
  it('read back as they were written', () => {
    fc.assert(
      fc.property(condition, (tree) => {
        expect(parsed(formatCondition(tree))).toEqual(tree);
      }),
    );
  });

  it('are met exactly when the oracle says so, with every metric there', () => {
    fc.assert(
      fc.property(condition, fullMetrics, (tree, metrics) => {
        const outcome = evaluateCondition(tree, new Map(Object.entries(metrics)));
        expect(outcome).toEqual({ kind: oracle(tree, metrics) ? 'met' : 'not_met' });
      }),
    );
  });

  it('never call themselves not met while a metric is missing', () => {
    fc.assert(
      fc.property(condition, fullMetrics, fc.constantFrom('web.error_rate', 'q.p99'), (tree, metrics, gone) => {
        const left = new Map(Object.entries(metrics).filter(([name]) => name !== gone));
        const outcome = evaluateCondition(tree, left);
        if (outcome.kind === 'not_met') expect(metricsOf(tree)).not.toContain(gone);
        if (outcome.kind === 'missing') expect(outcome.metrics).toEqual([gone]);
        // A condition that is met without the metric is met for every value of it.
        if (outcome.kind === 'met') expect(oracle(tree, metrics)).toBe(true);
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('take %p for missing', (value) => {
    expect(evaluateCondition(parsed('web.error_rate > 1'), new Map([['web.error_rate', value]]))).toEqual({
      kind: 'missing',
      metrics: ['web.error_rate'],
    });
  });

  it.each([
    ['>', [false, false, true]],
    ['>=', [false, true, true]],
    ['<', [true, false, false]],
    ['<=', [true, true, false]],
    ['==', [false, true, false]],
    ['!=', [true, false, true]],
  ])('compare by %s below, at and above the number', (op, met) => {
    const outcomes = [1, 2, 3].map((value) => evaluateCondition(parsed(`a.b ${op} 2`), new Map([['a.b', value]])).kind);
    expect(outcomes).toEqual(met.map((each) => (each ? 'met' : 'not_met')));
  });

  it.each([
    ['a.x > 1 and b.x > 1', [['a.x', 2]], 'missing'],
    ['a.x > 1 and b.x > 1', [['b.x', 2]], 'missing'],
    ['a.x > 1 and b.x > 1', [['a.x', 0]], 'missing'],
    ['a.x > 1 or b.x > 1', [['a.x', 2]], 'met'],
    ['a.x > 1 or b.x > 1', [['b.x', 2]], 'met'],
    ['a.x > 1 or b.x > 1', [['a.x', 0]], 'missing'],
    ['a.x > 1 or b.x > 1', [['b.x', 0]], 'missing'],
    ['not a.x > 1', [], 'missing'],
    ['not (a.x > 1 or b.x > 1)', [['a.x', 0]], 'missing'],
    ['not (a.x > 1 or b.x > 1)', [['b.x', 0]], 'missing'],
    ['not (a.x > 1 and b.x > 1)', [['a.x', 0]], 'met'],
  ] as const)('weigh a missing metric: %s with %j is %s', (text, metrics, kind) => {
    expect(evaluateCondition(parsed(text), new Map(metrics)).kind).toBe(kind);
  });

  it('name each of their metrics once', () => {
    expect(metricsOf(parsed('a.x > 1 or not (b.x > 1 and a.x < 9)'))).toEqual(['a.x', 'b.x']);
  });

  it.each([
    ...['0.5', '100', '0', '-2', '0.0000001', '-0.00000012', '9007199254740991'],
    ...['0.00000012345678901234566', '0.0000000000000000000000001'],
  ])('write the number %s without an exponent', (number) => {
    expect(formatCondition(parsed(`a.b > ${number}`))).toBe(`a.b > ${number}`);
  });

  it('take blanks, tabs and line ends between words, and minus zero for zero', () => {
    expect(formatCondition(parsed('a.b\t>\n-0'))).toBe('a.b > 0');
  });

  it('bind "and" closer than "or", and "not" closest', () => {
    expect(formatCondition(parsed('a.x>1 or not b.y<=2 and c.z==-0.5'))).toBe(
      'a.x > 1 or not b.y <= 2 and c.z == -0.5',
    );
    expect(parsed('a.x > 1 or b.y > 2 and c.z > 3').kind).toBe('or');
    expect(parsed('(a.x > 1 or b.y > 2) and c.z > 3').kind).toBe('and');
  });

  it('name the check of a metric', () => {
    expect(checkOf('web-frontend.error_rate')).toBe('web-frontend');
  });
});

describe('a text that is no condition', () => {
  it.each([
    ['', 0, 'expected a metric'],
    ['web', 0, '"web" is not a metric'],
    ['web.error_rate', 14, 'expected one of'],
    ['web.error_rate >', 16, 'expected a number'],
    ['web.error_rate > high', 17, 'is not a metric'],
    ['web.error_rate > 0.05 or', 24, 'expected a metric'],
    ['web.error_rate > 0.05 web.x < 1', 22, 'expected "and", "or" or the end'],
    ['(web.error_rate > 0.05', 22, 'expected ")"'],
    ['web.error_rate > 0.05)', 21, 'expected "and", "or" or the end'],
    ['web.error_rate = 1', 15, '"=" does not belong'],
    ['0.05 < web.error_rate', 0, 'expected a metric'],
    ['web.error_rate > 1e3', 18, 'is not a metric'],
    ['web.error_rate > 99999999999999999999', 17, 'beyond 2^53'],
    [`web.error_rate > 0.${'0'.repeat(400)}1`, 17, 'too close to zero'],
    ['process.exit() > 1', 12, 'expected one of'],
    ['web.error_rate > 1; drop', 18, 'does not belong'],
    ['web.x > 1 and\u202e web.y > 2', 13, 'does not belong'],
  ])('%p is refused at %i', (text, position, message) => {
    const result = parseCondition(text);
    expect(result).toMatchObject({
      ok: false,
      error: { position, message: expect.stringContaining(message) as string },
    });
  });

  it('nothing nests deeper than the limit, by parentheses or by not', () => {
    const deep = `${'('.repeat(MAX_CONDITION_DEPTH + 2)}a.b > 1${')'.repeat(MAX_CONDITION_DEPTH + 2)}`;
    expect(parseCondition(deep)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('levels deep') as string },
    });
    expect(parseCondition(`${'not '.repeat(100)}a.b > 1`)).toMatchObject({ ok: false });
    expect(parseCondition(`${'('.repeat(MAX_CONDITION_DEPTH)}a.b > 1${')'.repeat(MAX_CONDITION_DEPTH)}`)).toMatchObject(
      { ok: true },
    );
  });

  it('no text makes the parser throw', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500, unit: 'grapheme' }), (text) => {
        expect(typeof parseCondition(text).ok).toBe('boolean');
      }),
    );
  });
});
