import type { FastifyReply } from 'fastify';
import type { LocalPage } from './local-page.js';
import { WebController } from './web.controller.js';
import type { WebFiles } from './web-files.js';

it('says that a file is not there, and answers nothing of it', () => {
  // The cast: of the files it only looks one up, and it asks nothing of the local page.
  const web = new WebController({ find: () => null } as unknown as WebFiles, {} as LocalPage);
  const header = jest.fn();
  const asked = () => {
    // The cast: a file that is not there sets no header.
    web.asset('gone.js', undefined, undefined, { header } as unknown as FastifyReply);
  };
  expect(asked).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code: 'web.not_found' }) }));
  expect(header).not.toHaveBeenCalled();
});
