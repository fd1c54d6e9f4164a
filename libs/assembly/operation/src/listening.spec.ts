import { listening } from './listening.js';

const address = { host: 'nowhere.example', port: 8420, setting: 'COUNTERSIGN_PORT' };

describe('listening', () => {
  it.each([
    ['EADDRINUSE', 'start.address_in_use'],
    ['EACCES', 'start.address_refused'],
    ['EADDRNOTAVAIL', 'start.address_refused'],
    ['ENOTFOUND', 'start.address_refused'],
  ])('says where it could not for %s', async (code, refusal) => {
    const refused = listening(address, () => Promise.reject(Object.assign(new Error(code), { code })));
    await expect(refused).rejects.toMatchObject({
      failure: {
        code: refusal,
        message: expect.stringContaining('nowhere.example:8420 (COUNTERSIGN_PORT)') as string,
        action: expect.stringContaining('COUNTERSIGN_PORT') as string,
      },
    });
  });

  it('passes on errors that it does not know', async () => {
    await expect(listening(address, () => Promise.reject(new Error('something else')))).rejects.toThrow(
      'something else',
    );
  });
});
