import { deepFreeze } from './deep-freeze.js';

describe('a frozen document', () => {
  it('is the same document, and neither it nor a part of it can change', () => {
    const document = { steps: [{ tool: 'restart' }], note: null };
    expect(deepFreeze(document)).toBe(document);
    expect(() => Object.assign(document, { note: 'changed' })).toThrow(TypeError);
    expect(() => document.steps.push({ tool: 'drop' })).toThrow(TypeError);
    expect(() => Object.assign(document.steps[0] ?? {}, { tool: 'drop' })).toThrow(TypeError);
  });
});
