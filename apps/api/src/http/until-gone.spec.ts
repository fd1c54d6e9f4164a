import { once } from 'node:events';
import { owedAnswer, type OwedAnswer } from '../../../../test/support/owed-answer.js';
import { untilGone } from './until-gone.js';

let owed: OwedAnswer;

beforeEach(async () => {
  owed = await owedAnswer();
});
afterEach(() => owed.close());

it('aborts when the client goes', async () => {
  const gone = untilGone(owed.response);
  expect(gone.aborted).toBe(false);
  owed.client.destroy();
  await once(gone, 'abort');
});

it('has aborted if the client went before', async () => {
  owed.client.destroy();
  await once(owed.response, 'close');
  expect(untilGone(owed.response).aborted).toBe(true);
});
