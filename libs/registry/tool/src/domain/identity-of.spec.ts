import { sampleTool } from '../application/fake-tool.js';
import { identityOf } from './identity-of.js';

const TOOL = sampleTool('label', {
  identity_fields: ['/targets', '/image'],
  parameters: {
    type: 'object',
    additionalProperties: false,
    properties: {
      targets: { type: 'array', items: { type: 'string', maxLength: 9 }, maxItems: 9 },
      image: { type: 'string', maxLength: 9 },
      note: { type: 'string', maxLength: 9 },
    },
  },
});

it('is the values at the identity fields, and nothing else', () => {
  expect(identityOf(TOOL, { targets: ['a', 'b'], note: 'x' })).toEqual({ '/targets': ['a', 'b'] });
  expect(identityOf(TOOL, { targets: [], image: 'web' })).toEqual({ '/targets': [], '/image': 'web' });
});

it('is null if the arguments, or the tool, name nothing', () => {
  expect(identityOf(TOOL, { note: 'x' })).toBeNull();
  expect(identityOf(sampleTool('look'), { targets: ['a'] })).toBeNull();
});
