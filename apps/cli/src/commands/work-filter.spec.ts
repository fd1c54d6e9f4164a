import type { CountersignClient } from '#lib/sdk';
import { idOfAddressed, idOfPerson } from './work-filter.js';

const SAM = { id: '01978f5e-0000-7000-8000-000000000001', display_name: 'Sam', email: 'sam@acme.example' };
const MALLORY = {
  id: '01978f5e-0000-7000-8000-000000000002',
  display_name: 'sam@acme.example',
  email: 'm@acme.example',
};

/** An api with these people. */
const apiWith = (...people: readonly (typeof SAM)[]): CountersignClient =>
  // The list of people is all that the search reads.
  ({ get: () => Promise.resolve({ items: people, next_cursor: null }) }) as unknown as CountersignClient;

describe('the id of a person', () => {
  it.each(['SAM', 'Sam@acme.example', SAM.id])('is found by %s', async (called) => {
    expect(await idOfPerson(apiWith(MALLORY, SAM), called)).toBe(SAM.id);
  });

  it('is never that of somebody who is called as another person’s address', async () => {
    await expect(idOfPerson(apiWith(MALLORY), SAM.email)).rejects.toMatchObject({ code: 'command.usage' });
  });
});

describe('the id of a person who gets a power', () => {
  it.each(['Sam@acme.example', SAM.id])('is found by %s', async (called) => {
    expect(await idOfAddressed(apiWith(MALLORY, SAM), called)).toBe(SAM.id);
  });

  it.each(['Sam', 'sam@acme.example'])('is never found by the name %s', async (called) => {
    await expect(idOfAddressed(apiWith({ ...SAM, email: 's@acme.example' }, MALLORY), called)).rejects.toMatchObject({
      code: 'command.usage',
      action: expect.stringContaining('Give the e-mail address'),
    });
  });
});
