import { setSynchronousCommit } from './synchronous-commit.js';

it.each([true, false])('changes nothing without a server that takes writes (on: %s)', async (on) => {
  // Nothing listens on the port.
  await expect(setSynchronousCommit(['postgres://a:b@127.0.0.1:9/d'], on)).rejects.toMatchObject({
    failure: { code: 'standby.no_primary', message: expect.stringContaining('is silent') as string },
  });
});
