import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { honest, verifyOf } from '../../../../libs/foundation/verifier/src/fake-verification.js';
import { answerOf } from './verify-answer.js';
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

it('shows a warning of the report as one', async () => {
  const warned = { ...(await verifyOf(honest())), warnings: ['BREAK-GLASS: Ada executed this plan.'] };
  const page = renderToStaticMarkup(createElement(VerifyResult, { answer: answerOf(warned, false) }));
  expect(page).toMatch(/aria-label="Warning:"(?:(?!<li)[^])*BREAK-GLASS: Ada executed this plan\./);
});

it.each<[boolean, number | null]>([
  [true, 1],
  [false, null],
])('counts executions without a kept key if keys were given (%s): %s', async (given, expected) => {
  const act = { entryId: 'entry-1', personId: 'sam', fingerprint: null, line: 'Sam approved.' } as const;
  const approvals = [
    { ...act, lets: true, shownBy: 'kept_key' },
    { ...act, lets: true, shownBy: 'server' },
    { ...act, lets: false, shownBy: 'server' },
  ] as const;
  const answer = answerOf({ ...(await verifyOf(honest())), approvals }, given);
  expect(answer.notSigned).toBe(expected);
  expect(answer.approvals.map(({ kept }) => kept)).toEqual([true, false, false]);
});
