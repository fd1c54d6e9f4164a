// People see commands in colours, so tests do. A colour in the wrong place is a fault that only they could find.
process.env.FORCE_COLOR ??= '1';

const swc = (parser, react = {}) => [
  '@swc/jest',
  {
    jsc: {
      parser,
      target: 'es2022',
      transform: { legacyDecorator: true, decoratorMetadata: true, ...react },
    },
    module: { type: 'commonjs' },
    sourceMaps: true,
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
  'openapi-typescript',
  'parse-json',
  'index-to-position',
  'supports-color',
  'change-case',
  'unbash',
  'temporal-polyfill',
  'temporal-utils',
  '@modelcontextprotocol/ext-tasks',
];

const shared = {
  // One id for all projects: they share what is transformed.
  id: 'countersign',
  testEnvironment: '<rootDir>/test/support/one-realm-environment.mjs',
  runtime: '<rootDir>/test/support/compile-once-runtime.mjs',
  rootDir: '.',
  globalSetup: '<rootDir>/test/support/temporary-folder.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  transform: {
    '^.+\\.ts$': swc({ syntax: 'typescript', decorators: true }),
    '^.+\\.tsx$': swc({ syntax: 'typescript', tsx: true }, { react: { runtime: 'automatic' } }),
    '^.+\\.m?js$': swc({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  resolver: '<rootDir>/test/support/resolve-source.mjs',
  // `npm run mutate` and embedded databases keep files there, copies of packages among them.
  modulePathIgnorePatterns: ['<rootDir>/.countersign/'],
};

/** Gives the run a PostgreSQL, which the first test that needs it starts. */
const onPostgres = { globalSetup: '<rootDir>/test/support/global-setup.mjs' };

/** A test beside the code needs no database and no program of the machine, or says so by its name. */
const nearSystem = [
  '<rootDir>/{libs,apps}/**/*.system.spec.ts',
  '<rootDir>/test/{architecture,policy,shell}/**/*.spec.ts',
];
const nearDatabase = ['<rootDir>/{libs,apps}/**/*.db.spec.ts', '<rootDir>/test/{database,stages}/**/*.spec.ts'];

/** CONTRIBUTING.md lists the needs of each kind of test. @type {import('jest').Config} */
export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{libs,apps}/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.(system|db)\\.spec\\.ts$'],
    },
    { ...shared, displayName: 'system', testMatch: nearSystem },
    { ...shared, ...onPostgres, displayName: 'db', testMatch: nearDatabase },
    {
      ...shared,
      ...onPostgres,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/{e2e,threats,packaging}/**/*.spec.ts'],
    },
    {
      ...shared,
      ...onPostgres,
      displayName: 'browser',
      globalSetup: '<rootDir>/test/support/browser-global-setup.mjs',
      testMatch: ['<rootDir>/test/browser/**/*.spec.ts'],
    },
  ],
  testSequencer: '<rootDir>/test/support/long-files-first-sequencer.mjs',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.mjs'],
  testTimeout: 60_000,
  // Tests of services wait for a fifth of their time, so three workers fill two cores.
  maxWorkers: 3,
  // A test file leaves about 50 MB in its worker. V8 ends a worker at 4 GB, so jest makes a new one before that.
  workerIdleMemoryLimit: '1500MB',
};
