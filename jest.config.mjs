const swc = (parser, react = {}) => [
  '@swc/jest',
  {
    jsc: {
      parser,
      target: 'es2022',
      transform: { legacyDecorator: true, decoratorMetadata: true, ...react },
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

// ESM-only packages that jest, which runs CommonJS here, has to see transpiled.
const esmOnly = [
  '@nestjs',
  'file-type',
  'load-esm',
  'uint8array-extras',
  '@borewit',
  'strtok3',
  'token-types',
  '@tokenizer',
  'es-toolkit',
  'cookie',
  'jose',
  'uuid',
  '@noble',
  'pg-boss',
  'serialize-error',
  'non-error',
  'nestjs-pino',
  'diff',
  'commander',
  'fast-check',
  'pure-rand',
  'oidc-provider',
  'openid-client',
  'oauth4webapi',
  '@scure',
  '@otplib',
  'otplib',
];

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  transform: {
    '^.+\\.ts$': swc({ syntax: 'typescript', decorators: true }),
    '^.+\\.tsx$': swc({ syntax: 'typescript', tsx: true }, { react: { runtime: 'automatic' } }),
    '^.+\\.m?js$': swc({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  resolver: '<rootDir>/test/support/resolve-source.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.mjs'],
  testTimeout: 30_000,
  maxWorkers: 2,
};
