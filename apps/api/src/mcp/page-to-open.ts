import { inputRequired, type InputRequiredResult, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';

const opening = z.object({
  'io.modelcontextprotocol/clientCapabilities': z.object({ elicitation: z.object({ url: z.looseObject({}) }) }),
});

/** Whether a client of 2026-07-28 opens pages for its user, after it has asked them. Older requests have no envelope. */
export const opensPages = (envelope: ServerContext['mcpReq']['envelope']): boolean =>
  opening.safeParse(envelope).success;

/**
 * Has the client show the page of a request to its user. It has the client call again with the id of the waiting request. People
 * answer on the page itself, signed in: the client learns nothing of it, and answers nothing.
 */
export const pageToOpen = (url: string, id: string): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      approval: inputRequired.elicitUrl({ message: 'People are asked. They answer on this page.', url }),
    },
    requestState: id,
  });
