/** How a metric is compared with a number. */
export const COMPARISONS = ['>', '>=', '<', '<=', '==', '!='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/**
 * A condition over named metrics. The name of a metric is `<check>.<metric>`: the health check that reports it, and the
 * member of its result's `metrics`.
 */
export type Condition =
  | { readonly kind: 'compare'; readonly metric: string; readonly op: Comparison; readonly value: number }
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly operand: Condition };

/** The outcome of a condition on a set of metrics. `missing` names those it could not do without. */
export type ConditionOutcome =
  | { readonly kind: 'met' }
  | { readonly kind: 'not_met' }
  | { readonly kind: 'missing'; readonly metrics: readonly string[] };

/**
 * Evaluates a condition. It is met as soon as the metrics that are there make it true for every value of the others. It is
 * `not_met` only if every metric it names is there. Anything else is `missing`, which callers treat as a failed check:
 * silence is no good news. A metric that is not a finite number counts as missing.
 */
export function evaluateCondition(condition: Condition, metrics: ReadonlyMap<string, number>): ConditionOutcome {
  const truth = truthOf(condition, metrics);
  if (truth === true) return { kind: 'met' };
  const missing = metricsOf(condition).filter((name) => !Number.isFinite(metrics.get(name)));
  return missing.length === 0 ? { kind: 'not_met' } : { kind: 'missing', metrics: missing };
}

/** The metrics that a condition names, each once, in order of appearance. */
export function metricsOf(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case 'compare':
      return [condition.metric];
    case 'not':
      return metricsOf(condition.operand);
    case 'and':
    case 'or':
      return [...new Set([...metricsOf(condition.left), ...metricsOf(condition.right)])];
  }
}

/** The check that reports a metric. */
export const checkOf = (metric: string): string => metric.slice(0, metric.indexOf('.'));

/** The condition as text that parses to the same condition, with no parenthesis that is not needed. */
export function formatCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'compare':
      return `${condition.metric} ${condition.op} ${formatNumber(condition.value)}`;
    case 'not':
      return `not ${nested(condition.operand, condition.operand.kind === 'and' || condition.operand.kind === 'or')}`;
    case 'and':
      // The grammar is left-associative: a chain on the right keeps its parentheses.
      return `${nested(condition.left, condition.left.kind === 'or')} and ${nested(condition.right, condition.right.kind === 'or' || condition.right.kind === 'and')}`;
    case 'or':
      return `${formatCondition(condition.left)} or ${nested(condition.right, condition.right.kind === 'or')}`;
  }
}

const nested = (condition: Condition, parenthesised: boolean): string =>
  parenthesised ? `(${formatCondition(condition)})` : formatCondition(condition);

// The grammar has no exponent: the zeros that String() shortens are written out. No number of it is above 2^53.
const formatNumber = (value: number): string =>
  String(value).replace(
    /^(-?)(\d)\.?(\d*)e-(\d+)$/,
    (_, sign: string, first: string, rest: string, exponent: string) =>
      `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`,
  );

/** Kleene's three values: undefined is "cannot be known". */
function truthOf(condition: Condition, metrics: ReadonlyMap<string, number>): boolean | undefined {
  switch (condition.kind) {
    case 'compare': {
      const actual = metrics.get(condition.metric);
      return actual === undefined || !Number.isFinite(actual)
        ? undefined
        : compare(actual, condition.op, condition.value);
    }
    case 'not': {
      const operand = truthOf(condition.operand, metrics);
      return operand === undefined ? undefined : !operand;
    }
    case 'and': {
      const [left, right] = [truthOf(condition.left, metrics), truthOf(condition.right, metrics)];
      if (left === false || right === false) return false;
      return left === undefined || right === undefined ? undefined : true;
    }
    case 'or': {
      const [left, right] = [truthOf(condition.left, metrics), truthOf(condition.right, metrics)];
      if (left === true || right === true) return true;
      return left === undefined || right === undefined ? undefined : false;
    }
  }
}

function compare(actual: number, op: Comparison, value: number): boolean {
  switch (op) {
    case '>':
      return actual > value;
    case '>=':
      return actual >= value;
    case '<':
      return actual < value;
    case '<=':
      return actual <= value;
    case '==':
      return actual === value;
    case '!=':
      return actual !== value;
  }
}
