const OPERATORS: ReadonlySet<string> = new Set(
  '<<= >>= ** ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |= + - * / % < > = ! ~ & | ^ ? : ,'.split(' '),
);
const MAX_OPERATOR = 3;

/** The operator that begins there, the longest that fits: `<<=` is one. Undefined if none does. */
function operatorAt(text: string, at: number): string | undefined {
  for (let length = MAX_OPERATOR; length > 0; length--) {
    const operator = text.slice(at, at + length);
    if (operator.length === length && OPERATORS.has(operator)) return operator;
  }
  return undefined;
}

const PREFIXES = new Set(['+', '-', '!', '~', '++', '--']);
const OPERAND = /\$?[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\}|\$[0-9#?]|[0-9][\w#@]*/y;
const NAME = /[A-Za-z_]\w*/;
const PARAMETER = /^\$[0-9]$/;
const ASSIGNS = /^(?:[-+*/%&^|]|<<|>>)?=$/;
const STEPS = /^(?:\+\+|--)$/;

/** The variables of an expression. */
export interface Arithmetic {
  /** Evaluated: their values are expressions in turn. `@` stands for the parameters: `$1`. */
  readonly names: readonly string[];
  /** Given another value. `$name` stands for the variable that the value of `name` names. */
  readonly assigned: readonly string[];
}

/**
 * Reads an arithmetic expression: numbers, names (also as `$name` and `${name}`), operators, parentheses, and subscripts made of
 * these. Bash gives arithmetic up and executes the text as commands if its parentheses close elsewhere (T49). So
 * nothing else is arithmetic here.
 *
 * @returns null if the text is no such expression.
 */
export function readArithmetic(text: string): Arithmetic | null {
  const names: string[] = [];
  const assigned: string[] = [];
  const closers: string[] = [];
  /** The variables whose subscripts are open. */
  const indexed: (string | null)[] = [];
  /** The variable that stands before this position, its subscript included. */
  let target: string | null = null;
  let stepsNext = false;
  let wantsOperand = true;
  let afterName = false;
  let empty = true;
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t' || char === '\n') {
      at += 1;
      afterName = false;
      continue;
    }
    empty = false;
    OPERAND.lastIndex = at;
    const operand = OPERAND.exec(text)?.[0];
    if (operand !== undefined) {
      if (!wantsOperand) return null;
      const name = /^[0-9]/.test(operand) ? undefined : NAME.exec(operand)?.[0];
      if (name !== undefined) names.push(name);
      else if (PARAMETER.test(operand)) names.push('@');
      wantsOperand = false;
      afterName = name === operand;
      target = /^(?:[0-9]|\$[#?])/.test(operand) ? null : operand.replace(/[{}]/g, '');
      if (stepsNext && target !== null) assigned.push(target);
      stepsNext = false;
      at += operand.length;
      continue;
    }
    if (char === '(' || char === '[') {
      if (char === '(' ? !wantsOperand : !afterName) return null;
      closers.push(char === '(' ? ')' : ']');
      if (char === '[') indexed.push(target);
      wantsOperand = true;
      at += 1;
    } else if (char === ')' || char === ']') {
      if (wantsOperand || closers.pop() !== char) return null;
      // bash and zsh assign to no variable in parentheses.
      target = char === ']' ? (indexed.pop() ?? null) : null;
      at += 1;
    } else {
      const operator = operatorAt(text, at);
      if (operator === undefined) return null;
      if (wantsOperand && !PREFIXES.has(operator)) return null;
      if (wantsOperand) stepsNext = STEPS.test(operator);
      else if (target !== null && (ASSIGNS.test(operator) || STEPS.test(operator))) assigned.push(target);
      if (!wantsOperand) wantsOperand = operator !== '++' && operator !== '--';
      at += operator.length;
    }
    afterName = false;
  }
  return closers.length === 0 && (empty || !wantsOperand) ? { names, assigned } : null;
}
