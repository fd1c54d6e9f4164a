import type { RunId } from '#lib/kernel';
import { entity, globalEntity, nullable, text, uuid } from './entity.js';

const attempt = entity('step_attempt', { runId: uuid<RunId>() }, { sourceSha256: text(), error: nullable(text()) });

describe('a column in SQL by hand', () => {
  it('is named by its property, after an alias or bare', () => {
    const a = attempt.as('a');
    expect(`${a.runId}, ${a.sourceSha256}, ${a.error}`).toBe('a.run_id, a.source_sha256, a.error');
    expect(`${attempt.column.runId}, ${attempt.column.sourceSha256}`).toBe('run_id, source_sha256');
    expect(globalEntity('bundle', { revision: text() }, {}).as('b').revision).toBe('b.revision');
  });

  // The compiler is the test: it fails if it takes one of these `@ts-expect-error`.
  it('is a compile error if the entity has no such property', () => {
    // @ts-expect-error the property is called runId
    expect(attempt.as('a').run).toBeUndefined();
    // @ts-expect-error the property is called sourceSha256
    expect(attempt.column.source).toBeUndefined();
    // @ts-expect-error the property is called error
    expect(() => attempt.pick('problem').columns('a')).not.toThrow();
  });
});
