import type { Json } from '#lib/canonical';
import { automationDocumentSchema } from '#lib/formats';
import { defaultInputs, fillInputs, sampleInputs } from './automation-inputs.js';

const { inputs } = automationDocumentSchema.shape;
const declared = inputs.parse({
  service: { type: 'string', max_length: 5, example: 'web' },
  count: { type: 'number', minimum: 1, maximum: 3, default: 2 },
  really: { type: 'boolean', default: false },
  level: { type: 'enum', values: ['low', 'high'] },
});
const given = { service: 'db', level: 'high' };

describe('the inputs of an automation', () => {
  it('are the given values, and defaults for the others', () => {
    expect(fillInputs(declared, given)).toEqual({
      ok: true,
      value: { service: 'db', count: 2, really: false, level: 'high' },
    });
    expect(fillInputs(declared, { ...given, count: 3, really: true })).toMatchObject({
      value: { count: 3, really: true },
    });
    expect(defaultInputs(declared)).toEqual({ count: 2, really: false });
    expect(sampleInputs(declared)).toEqual({ service: 'web', count: 2, really: false, level: 'low' });
  });

  it.each<[string, Readonly<Record<string, Json | undefined>>, string]>([
    ['an undeclared name', { tool: 'uninstall_app' }, 'tool'],
    ['a name of the prototype', { constructor: 'x' }, 'constructor'],
    ['a missing value', { level: undefined }, 'level'],
    ['a long text', { service: 'web-01' }, 'service'],
    ['two lines', { service: 'a\nb' }, 'service'],
    ['a hidden character', { service: 'a\u200bb' }, 'service'],
    ['spaces around', { service: ' a ' }, 'service'],
    ['an empty text', { service: '' }, 'service'],
    ['a number as text', { count: '2' }, 'count'],
    ['a small number', { count: 0 }, 'count'],
    ['a large number', { count: 4 }, 'count'],
    ['a number that is none', { count: NaN }, 'count'],
    ['an object', { service: { $secret: 'key@1' } }, 'service'],
    ['a list', { service: ['web'] }, 'service'],
    ['a truth as text', { really: 'true' }, 'really'],
    ['a value that is not listed', { level: 'LOW' }, 'level'],
  ])('T33: do not take %s', (_what, values, input) => {
    expect(fillInputs(declared, { ...given, ...values })).toMatchObject({ ok: false, error: [{ input }] });
  });
});
