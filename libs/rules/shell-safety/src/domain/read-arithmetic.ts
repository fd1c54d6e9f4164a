/** Longest first: `<<=` is one operator. */
const OPERATORS = [
  ...[
    '<<=',
    '>>=',
    '**',
    '++',
    '--',
    '<<',
    '>>',
    '<=',
    '>=',
    '==',
    '!=',
    '&&',
    '||',
    '+=',
    '-=',
    '*=',
    '/=',
    '%=',
    '&=',
  ],
  ...['^=', '|=', '+', '-', '*', '/', '%', '<', '>', '=', '!', '~', '&', '|', '^', '?', ':', ','],
];
const PREFIXES = new Set(['+', '-', '!', '~', '++', '--']);
const OPERAND = /\$?[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\}|\$[0-9#?]|[0-9][\w#@]*/y;
const NAME = /[A-Za-z_]\w*/;

/**
 * Reads an arithmetic expression: numbers, names (also as `$name` and `${name}`), operators, parentheses, and subscripts made of
 * these. Bash gives arithmetic up and executes the text as commands if its parentheses close elsewhere (T49), so nothing else is
 * arithmetic here.
 *
 * @returns the names that the expression evaluates, or null if the text is no such expression.
 */
export function readArithmetic(text: string): readonly string[] | null {
  const names: string[] = [];
  const closers: string[] = [];
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
      else if (operand.startsWith('$')) names.push(operand);
      wantsOperand = false;
      afterName = name === operand;
      at += operand.length;
      continue;
    }
    if (char === '(' || char === '[') {
      if (char === '(' ? !wantsOperand : !afterName) return null;
      closers.push(char === '(' ? ')' : ']');
      wantsOperand = true;
      at += 1;
    } else if (char === ')' || char === ']') {
      if (wantsOperand || closers.pop() !== char) return null;
      at += 1;
    } else {
      const operator = OPERATORS.find((candidate) => text.startsWith(candidate, at));
      if (operator === undefined) return null;
      if (wantsOperand && !PREFIXES.has(operator)) return null;
      if (!wantsOperand) wantsOperand = operator !== '++' && operator !== '--';
      at += operator.length;
    }
    afterName = false;
  }
  return closers.length === 0 && (empty || !wantsOperand) ? names : null;
}
