import type {
  AndOr,
  ArithmeticFor,
  Case,
  Command,
  CompoundList,
  For,
  Function as FunctionNode,
  If,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirection,
  Select,
  Statement,
  TestExpression,
} from 'unbash';
import { readAssignment, readPlainWord, readWordParts } from './read-word-parts.js';
import { holdsNewline, type TextReading } from './text-reading.js';

const DESCRIPTOR = /^(?:\d+|\{\w+\})$/;

type AnyNode = PipelineNode | AndOr | CompoundList;

/** Reads the text of a script again, by its tree. */
export function readScript(script: ParsedScript, reading: TextReading): void {
  readList(script.commands, reading);
  reading.to(script.end);
}

function readList(statements: readonly Statement[], reading: TextReading): void {
  for (const { command, background } of statements) {
    readNode(command, reading);
    if (background === true) reading.need('&');
    else reading.separator();
  }
}

function readNode(node: AnyNode, reading: TextReading): void {
  reading.to(node.pos);
  switch (node.type) {
    case 'Command':
      readCommand(node, reading);
      return;
    case 'Pipeline':
      readPipeline(node, reading);
      return;
    case 'AndOr':
      readJoined(node.commands, node.operators, reading);
      return;
    case 'CompoundList':
      readList(node.commands, reading);
      return;
    case 'Redirected':
      readNode(node.command, reading);
      for (const redirection of node.redirects) readRedirection(redirection, reading);
      return;
    case 'Function':
      readFunction(node, reading);
      return;
    case 'Coproc':
      reading.need('coproc');
      if (node.name !== undefined) reading.leaf(node.name.pos, node.name.end);
      readNode(node.body, reading);
      return;
    case 'Subshell':
      readBody('(', node.body, reading);
      reading.need(')');
      return;
    case 'BraceGroup':
      readBody('{', node.body, reading);
      reading.need('}');
      return;
    case 'If':
      readIf(node, reading);
      return;
    case 'While':
      readBody(node.kind, node.clause, reading);
      readBody('do', node.body, reading);
      reading.need('done');
      return;
    case 'For':
    case 'Select':
      readFor(node, reading);
      return;
    case 'ArithmeticFor':
      readArithmeticFor(node, reading);
      return;
    case 'Case':
      readCase(node, reading);
      return;
    case 'TestCommand':
      reading.need('[[');
      readTest(node.expression, reading);
      reading.need(']]');
      return;
    case 'ArithmeticCommand':
      reading.leaf(node.pos, node.end);
      if (node.end - node.pos !== node.body.length + 4) reading.lose(node.pos);
  }
}

function readBody(before: string, { commands }: CompoundList, reading: TextReading): void {
  reading.need(before);
  readList(commands, reading);
}

function readJoined(nodes: readonly AnyNode[], operators: readonly string[], reading: TextReading): void {
  for (const [index, node] of nodes.entries()) {
    const operator = operators[index - 1];
    if (operator !== undefined) reading.need(operator);
    readNode(node, reading);
  }
}

function readPipeline(node: Pipeline, reading: TextReading): void {
  for (const prefix of node.prefixes) reading.leaf(prefix.pos, prefix.end);
  // `time` and `!` may stand alone, and only before the end of a list.
  if (node.commands.length === 0 && !reading.endsList()) reading.lose();
  readJoined(node.commands, node.operators, reading);
}

function readCommand(node: Command, reading: TextReading): void {
  const { name } = node;
  for (const child of node.prefix) readChild(child, readPlainWord, reading);
  if (name !== undefined) readPlainWord(name, reading);
  const readWord = name?.text === 'let' || name?.text === 'eval' ? readWordParts : readPlainWord;
  for (const child of node.suffix) readChild(child, readWord, reading);
}

function readChild(child: Command['suffix'][number], readWord: typeof readPlainWord, reading: TextReading): void {
  switch (child.type) {
    case 'Word':
      readWord(child, reading);
      return;
    case 'Assignment':
      readAssignment(child, reading);
      return;
    default:
      readRedirection(child, reading);
  }
}

function readRedirection(node: Redirection, reading: TextReading): void {
  reading.to(node.pos);
  if (node.descriptor !== undefined) reading.leaf(node.descriptor.pos, node.descriptor.end);
  reading.need(node.operator);
  if (node.type === 'HereDoc') {
    if (node.delimiter !== undefined) reading.leaf(node.delimiter.pos, node.delimiter.end);
    reading.hereDocument(node.body.pos, node.closing?.end ?? node.body.end);
  } else if (node.target !== undefined) {
    readPlainWord(node.target, reading);
    // `<0<file`: bash takes the number for the descriptor of the second redirection, so that the first lacks its target.
    const { text, end } = node.target;
    if (opensFile(reading.source.charCodeAt(end)) && DESCRIPTOR.test(text) && !node.operator.endsWith('&')) {
      reading.lose(node.target.pos);
    }
  }
}

/** True of `<` and `>`. */
const opensFile = (code: number): boolean => code === 60 || code === 62;

function readFunction(node: FunctionNode, reading: TextReading): void {
  if (node.name.pos !== node.pos) reading.need('function');
  readPlainWord(node.name, reading);
  if (!reading.reaches(node.body.pos)) {
    // Bash takes the parentheses of `f*()` for a pattern.
    if (/[?*+@!]$/.test(node.name.text)) reading.lose(node.name.pos);
    reading.need('(');
    reading.need(')');
  }
  readNode(node.body, reading);
}

function readIf(node: If, reading: TextReading): void {
  const branches = [{ word: 'if', clause: node.clause, then: node.then }];
  for (const { clause, then } of node.elif) branches.push({ word: 'elif', clause, then });
  for (const { word, clause, then } of branches) {
    reading.need(word);
    readList(clause.commands, reading);
    reading.need('then');
    readList(then.commands, reading);
  }
  if (node.else !== undefined) {
    reading.need('else');
    readList(node.else.commands, reading);
  }
  reading.need('fi');
}

function readFor(node: For | Select, reading: TextReading): void {
  reading.need(node.type === 'For' ? 'for' : 'select');
  reading.leaf(node.name.pos, node.name.end);
  if (node.wordlist !== undefined) reading.need('in');
  for (const word of node.wordlist ?? []) readPlainWord(word, reading);
  reading.separator();
  readLoop(node.body, reading);
}

function readArithmeticFor(node: ArithmeticFor, reading: TextReading): void {
  reading.need('for');
  reading.need('((');
  // The sections between the parentheses are judged as arithmetic, as a text.
  const close = reading.source.lastIndexOf('))', node.body.pos - 1);
  reading.leaf(reading.position, close + 2);
  reading.separator();
  readLoop(node.body, reading);
}

function readLoop(body: CompoundList, reading: TextReading): void {
  const braces = reading.take('{');
  if (!braces) reading.need('do');
  readList(body.commands, reading);
  reading.need(braces ? '}' : 'done');
}

function readCase(node: Case, reading: TextReading): void {
  reading.need('case');
  readPlainWord(node.word, reading);
  reading.need('in');
  for (const { pattern, body, terminator } of node.items) {
    reading.take('(');
    pattern.forEach((word, index) => {
      if (index > 0) reading.need('|');
      readPlainWord(word, reading);
    });
    reading.need(')');
    readList(body.commands, reading);
    if (terminator !== undefined) reading.need(terminator);
  }
  reading.need('esac');
}

function readTest(node: TestExpression, reading: TextReading): void {
  switch (node.type) {
    case 'TestUnary':
      if (holdsNewline(reading.source.slice(node.pos, node.operand.pos))) reading.lose(node.pos);
      if (!reading.reaches(node.operand.pos)) reading.need(node.operator);
      readPlainWord(node.operand, reading);
      return;
    case 'TestBinary':
      if (holdsNewline(reading.source.slice(node.left.end, node.right.pos))) reading.lose(node.left.end);
      readPlainWord(node.left, reading);
      reading.need(node.operator);
      if (node.operator === '=~') readWordParts(node.right, reading);
      else readPlainWord(node.right, reading);
      return;
    case 'TestLogical':
      node.operands.forEach((operand, index) => {
        if (index > 0) reading.need(node.operator);
        readTest(operand, reading);
      });
      return;
    case 'TestNot':
      for (const negation of node.negations) reading.leaf(negation.pos, negation.end);
      readTest(node.operand, reading);
      return;
    case 'TestGroup':
      reading.need('(');
      readTest(node.expression, reading);
      reading.need(')');
  }
}
