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

const noCastAnswer = {
  create: (context) => ({
    TSAsExpression(node) {
      const { type, typeName } = node.typeAnnotation;
      if (node.parent.type === 'TSAsExpression' || type === 'TSUnknownKeyword' || typeName?.name === 'Json') return;
      const answer = uncast(node);
      if (answer.type !== 'AwaitExpression' && !isParsing(answer)) return;
      context.report({ node, message: 'A cast checks nothing: parse the answer, or type the function that gives it.' });
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
  },
};
