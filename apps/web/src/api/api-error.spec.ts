import { refusalOf } from './api-error.js';

const problem = {
  type: 'urn:countersign:problem:halt.already_lifted',
  title: 'The state of things does not allow this',
  status: 409,
  code: 'halt.already_lifted',
  detail: 'The stop was lifted.',
  instance: 'urn:countersign:request:1',
};
const refusal = (document: unknown) => refusalOf(Response.json(document, { status: 409 }));

describe('a refusal', () => {
  it('is shown as the API gave it', async () => {
    expect(await refusal(problem)).toMatchObject({ problem });
  });

  it.each([null, 'refused', { ...problem, code: 409 }, { ...problem, detail: null }, { ...problem, status: '409' }])(
    'of another form came from another program: %j',
    async (document) => {
      expect(await refusal(document)).toMatchObject({ code: 'web.unexpected_answer', status: 409 });
    },
  );
});
