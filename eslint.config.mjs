import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

// A decision has to come out the same tomorrow: the time, ids and the environment are arguments.
const domainStaysPure = {
  'no-restricted-globals': [
    'error',
    { name: 'process', message: 'domain/ has no environment: pass what it needs.' },
    { name: 'fetch', message: 'domain/ does no I/O: define a port in application/.' },
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: 'domain/ has no clock: take `now` as an argument.' },
    { object: 'Math', property: 'random', message: 'domain/ has no randomness: take ids and nonces as arguments.' },
  ],
  'no-restricted-syntax': [
    'error',
    {
      selector: "NewExpression[callee.name='Date'][arguments.length=0]",
      message: 'domain/ has no clock: take `now` as an argument.',
    },
  ],
};

export default tseslint.config(
  {
    ignores: [
      'libs/clients/client/src/api.ts',
      'test/architecture/fixtures/',
      'dist/',
      'coverage/',
      'node_modules/',
      '.countersign/',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: false }],
      '@typescript-eslint/consistent-type-imports': 'off', // decorator metadata needs value imports in Nest classes
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        {
          argsIgnorePattern: '^_',
          varsIgnorePattern: '^_',
          destructuredArrayIgnorePattern: '^_',
          ignoreRestSiblings: true,
        },
      ],
      'no-console': 'error',
    },
  },
  {
    // An event handler of a page may be an arrow function without braces.
    files: ['apps/web/**/*.tsx'],
    rules: { '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }] },
  },
  { files: ['**/domain/**/*.ts'], ignores: ['**/*.spec.ts'], rules: domainStaysPure },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      // Jest's matchers and parsed answers are typed loosely, and a test reads better without wrapping each of them.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        module: 'writable',
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        performance: 'readonly',
      },
    },
    rules: { 'no-console': 'off' },
  },
  { files: ['apps/web/public/*.js'], languageOptions: { globals: { self: 'readonly' } } },
  prettier,
);
