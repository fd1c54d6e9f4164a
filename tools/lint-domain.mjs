/** A rule of the linter that none of its own rules can express. */
const noClock = {
  create: (context) => ({
    NewExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'Date' || node.arguments.length > 0) return;
      context.report({ node, message: 'domain/ has no clock: take `now` as an argument.' });
    },
  }),
};

export default { meta: { name: 'domain' }, rules: { 'no-clock': noClock } };
