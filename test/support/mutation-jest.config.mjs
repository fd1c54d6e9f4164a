import { fileURLToPath } from 'node:url';
import config from '../../jest.config.mjs';

const [unit] = config.projects;
const folders = (process.env.COUNTERSIGN_MUTATED_TESTS ?? 'libs').split(',');

/** The unit tests of one library, for `npm run mutate`: those beside the domain run first, since they load the least. */
export default {
  ...unit,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  displayName: undefined,
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
  testSequencer: '<rootDir>/test/support/domain-first-sequencer.mjs',
  testTimeout: 30_000,
};
