import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { VerifyResult } from './verify-result.js';

const answer = {
  outcome: 'refused',
  passed: ['1 checkpoint signed by a trusted key.'],
  warnings: [],
  failure: { code: 'document.not_covered', message: 'A document was changed, or added.', pointer: '/documents/1' },
  notThere: [],
  notMade: [],
  approvals: [{ line: 'Sam approved.', kept: false }],
  notSigned: null,
  entries: 54,
  documents: 68,
  subject: null,
} as const;

it('names the failed check, and an approval that the server alone vouches for, to a screen reader', () => {
  const page = renderToStaticMarkup(createElement(VerifyResult, { answer }));
  expect(page).toMatch(/aria-label="Failed:"[^]*A document was changed, or added\./);
  expect(page).toMatch(/aria-label="Relies on the server:"[^]*Sam approved\./);
  expect(page).not.toMatch(/aria-label="[^"]*"(?:(?!<li)[^])*1 checkpoint signed/);
});
