import { draftBeside } from './hook-draft.js';

const base = { source: 'hooks: [a]\n', etag: '"1"' };
const newer = { source: 'hooks: [b]\n', etag: '"2"' };
const typed = { base, text: 'hooks: [c]\n' };

describe('a draft of lifecycle hooks', () => {
  it('stays as it is beside the hooks that it began from', () => {
    expect(draftBeside(typed, { ...base }, null)).toBe(typed);
  });

  it('follows newer hooks if it is unchanged', () => {
    expect(draftBeside({ base, text: base.source }, newer, null)).toEqual({ base: newer, text: newer.source });
  });

  it.each([
    ['in force', newer.etag],
    ['to a second person', null],
  ])('follows newer hooks if the API took it, and put it %s', (_, etag) => {
    expect(draftBeside(typed, newer, { text: typed.text, etag })).toEqual({ base: newer, text: newer.source });
  });

  it('keeps the text that was typed while an earlier one came into force', () => {
    expect(draftBeside(typed, newer, { text: 'hooks: [b]', etag: newer.etag })).toEqual({
      base: newer,
      text: typed.text,
    });
  });

  it.each([
    ['no text was sent', null],
    ['the earlier text waits for a second person', { text: 'hooks: [b]', etag: null }],
    ['other hooks replaced the earlier text since', { text: 'hooks: [d]', etag: '"3"' }],
  ])('keeps the base that newer hooks replaced, if %s', (_, accepted) => {
    expect(draftBeside(typed, newer, accepted)).toBe(typed);
  });
});
