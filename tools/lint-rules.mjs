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

export default {
  meta: { name: 'countersign' },
  rules: { 'no-clock': noClock, 'no-recursive-mkdir': noRecursiveMkdir, 'private-by-hash': privateByHash },
};
