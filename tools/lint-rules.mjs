/** Rules of the linter that none of its own rules can express. */
const noClock = {
  create: (context) => ({
    NewExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'Date' || node.arguments.length > 0) return;
      context.report({ node, message: 'domain/ has no clock: take `now` as an argument.' });
    },
  }),
};

const noRecursiveMkdir = {
  create: (context) => ({
    CallExpression(node) {
      if (node.callee.type !== 'Identifier' || !/^mkdir(Sync)?$/.test(node.callee.name)) return;
      const options = node.arguments.find(({ type }) => type === 'ObjectExpression')?.properties ?? [];
      if (!options.some(({ key }) => key?.name === 'recursive')) return;
      context.report({ node, message: 'A recursive mkdir may never return: use makeFolder of #lib/folders.' });
    },
  }),
};

/** A parameter of a constructor has no form with #. */
const privateByHash = {
  create: (context) => {
    const refuse = (node) => {
      if (node.accessibility !== 'private' || node.kind === 'constructor') return;
      context.report({ node, message: 'A private member is called #name: only its class can then reach it.' });
    };
    return { MethodDefinition: refuse, PropertyDefinition: refuse };
  },
};

/** An expression without the casts around it. */
const uncast = (node) => (node.type === 'TSAsExpression' ? uncast(node.expression) : node);

const isParsing = ({ type, callee }) =>
  type === 'CallExpression' &&
  callee.type === 'MemberExpression' &&
  (callee.property.name === 'json' || (callee.object.name === 'JSON' && callee.property.name === 'parse'));

/** The members of a refusal, or of a change request, of which each code or kind has its own. */
const FACTS = new Set(['problem', 'detail', 'details']);

/** Whether an expression is a problem or details, a member of one, or a choice that may be one. */
const isOfFacts = (node) => {
  switch (node.type) {
    case 'Identifier':
      return FACTS.has(node.name);
    case 'MemberExpression':
      return FACTS.has(node.property.name) || isOfFacts(node.object);
    case 'ChainExpression':
    case 'TSAsExpression':
      return isOfFacts(node.expression);
    case 'ConditionalExpression':
      return isOfFacts(node.consequent) || isOfFacts(node.alternate);
    case 'LogicalExpression':
      return isOfFacts(node.left) || isOfFacts(node.right);
    default:
      return false;
  }
};

const noCastAnswer = {
  create: (context) => ({
    TSAsExpression(node) {
      const { type, typeName } = node.typeAnnotation;
      if (node.parent.type === 'TSAsExpression' || type === 'TSUnknownKeyword' || typeName?.name === 'Json') return;
      const answer = uncast(node);
      if (answer.type !== 'AwaitExpression' && !isParsing(answer) && !isOfFacts(answer)) return;
      context.report({ node, message: 'A cast checks nothing: parse the answer, or type the function that gives it.' });
    },
  }),
};

/** It names the type of a constant or an empty value, or takes any for unknown: it asserts nothing. */
const assertsNothing = ({ expression, typeAnnotation: { type, typeName } }) =>
  type === 'TSUnknownKeyword' ||
  typeName?.name === 'const' ||
  expression.raw === 'null' ||
  (expression.type === 'ArrayExpression' && expression.elements.length === 0);

const UNIT = /Statement$|Declaration$|^Property(?:Definition)?$|^MethodDefinition$|^JSXAttribute$/;

/** The statement or member that a node is in. A comment above it may be about the node. */
const unitOf = ({ parent }) => (UNIT.test(parent.type) ? parent : unitOf(parent));

const reasonedCast = {
  create: (context) => ({
    TSAsExpression(node) {
      if (assertsNothing(node)) return;
      const { start, end } = node.loc;
      const above = unitOf(node).loc.start.line - 1;
      const isReasoned = context.sourceCode
        .getAllComments()
        .some(({ loc }) => loc.end.line === above || (loc.end.line >= start.line - 1 && loc.start.line <= end.line));
      if (!isReasoned)
        context.report({ node, message: 'A cast needs its reason in a comment beside it, or above its statement.' });
    },
  }),
};

export default {
  meta: { name: 'countersign' },
  rules: {
    'no-cast-answer': noCastAnswer,
    'no-clock': noClock,
    'no-recursive-mkdir': noRecursiveMkdir,
    'private-by-hash': privateByHash,
    'reasoned-cast': reasonedCast,
  },
};
