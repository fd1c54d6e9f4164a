import config from './jest.config.mjs';

const e2e = config.projects.find(({ displayName }) => displayName === 'e2e');

/**
 * Servers beside PostgreSQL, several installations, and what grows: `npm run test:scale`, and not `npm test`.
 *
 * @type {import('jest').Config}
 */
export default {
  ...config,
  projects: [{ ...e2e, displayName: 'scale', testMatch: ['<rootDir>/test/scale/**/*.spec.ts'] }],
};
