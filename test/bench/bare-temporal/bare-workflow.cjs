/** A workflow that calls as many activities as it is told, one after the other. */
const { proxyActivities } = require('@temporalio/workflow');

const { nothing } = proxyActivities({ startToCloseTimeout: '1 minute' });

exports.bare = async (activities) => {
  for (let count = 0; count < activities; count += 1) await nothing();
};
