import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Button } from './button.js';

const shown = (props: Omit<Parameters<typeof Button>[0], 'children'>): string =>
  renderToStaticMarkup(createElement(Button, { ...props, children: 'Make a token' }));

it('keeps a place for the focus while it takes no click, and says why', () => {
  expect(shown({})).not.toContain('disabled=');
  for (const off of [{ busy: true }, { disabled: true }, { barred: 'You have no role.' }]) {
    expect(shown(off)).toContain(' aria-disabled="true"');
    expect(shown(off)).not.toContain(' disabled=""');
  }
  expect(shown({ barred: 'You have no role.' })).toMatch(
    /aria-describedby="([^"]+)"[^]*id="\1"[^>]*>You have no role\./,
  );
});
