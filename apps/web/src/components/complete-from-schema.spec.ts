import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { readFileSync } from 'node:fs';
import { completeFrom, type Schema } from './complete-from-schema.js';

const automation = JSON.parse(readFileSync('schemas/automation.schema.json', 'utf8')) as Schema;

function offered(schema: Schema, doc: string): string[] {
  const context = new CompletionContext(EditorState.create({ doc }), doc.length, false);
  return completeFrom(schema)(context)?.options.map(({ label }) => label) ?? [];
}

describe('the completion of a document from its schema', () => {
  it.each([
    ['keys of the document', 'na', 'name'],
    ['keys of an entry of a list', 'triggers:\n  - type: cron\n    sch', 'schedule'],
    ['keys of each kind of entry', 'steps:\n  - id: tell\n    mess', 'message'],
    ['kinds of entries', 'steps:\n  - id: tell\n    type: no', 'notify'],
    ['values that are listed', 'overlap: q', 'queue'],
  ])('offers %s', (_what, doc, label) => {
    expect(offered(automation, doc)).toContain(label);
  });

  it('offers nothing before a letter is typed', () => {
    expect(offered(automation, '')).toEqual([]);
  });
});
