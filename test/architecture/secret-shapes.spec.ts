import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretShapes } from '../../libs/foundation/kernel/src/mask-secrets.js';
import { SECRET_TEXTS } from '../support/secret-samples.js';
import { secretShapesSql } from '../support/secret-shapes-sql.js';

describe('the secrets that precedents leave out', () => {
  it('are those that logs mask: the migration has this text', () => {
    expect(readFileSync(join(__dirname, '../../migrations/0230_precedent.sql'), 'utf8')).toContain(secretShapesSql());
  });

  it.each(secretShapes.map(([pattern]) => [pattern.source, pattern] as const))(
    'have a sample of each shape: %s',
    (_name, pattern) => {
      expect(SECRET_TEXTS.some((text) => text.search(pattern) >= 0)).toBe(true);
    },
  );
});
