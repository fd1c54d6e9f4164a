import config from './jest.config.mjs';

const e2e = config.projects.find(({ displayName }) => displayName === 'e2e');

/**
 * The examples on frameworks, which come from npm: `npm run test:frameworks`, and not `npm test`.
 *
 * @type {import('jest').Config}
 */
export default {
  ...config,
  projects: [{ ...e2e, displayName: 'frameworks', testMatch: ['<rootDir>/test/frameworks/**/*.spec.ts'] }],
};
