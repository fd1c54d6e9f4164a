import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';

/** The example's autonomy document, with the largest budgets of calls: one agent asks for thousands. */
export const benchAutonomy = (): string =>
  readFileSync(join(packageRoot(), 'catalog', 'autonomy.yaml'), 'utf8').replace(
    '\nautonomy:\n',
    '\nautonomy:\n  calls_per_hour: 10000\n  calls_per_turn: 64\n',
  );
