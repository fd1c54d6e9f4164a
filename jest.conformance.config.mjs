import config from './jest.config.mjs';

const unit = config.projects.find(({ displayName }) => displayName === 'unit');

/**
 * The public conformance suite of MCP, whose programs come from npm: `npm run test:conformance`, and not `npm test`.
 *
 * @type {import('jest').Config}
 */
export default {
  ...config,
  projects: [{ ...unit, displayName: 'conformance', testMatch: ['<rootDir>/test/conformance/**/*.spec.ts'] }],
};
