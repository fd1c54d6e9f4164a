import { z } from 'zod';
import { defineTool } from '../define-tool.js';
import type { RunnerTool } from '../domain/runner-tool.js';
import { cutText, textOf } from '../domain/text.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { documentOf } from './categories.js';
import { FETCH_SECONDS, type WorkspaceSettings } from './settings.js';

/** Fetches a page through the guarded way out. A redirect is an answer: the agent asks again for its address. */
export const webFetch = ({ guardedFetch }: WorkspaceSettings): RunnerTool =>
  defineTool({
    name: 'web-fetch',
    document: documentOf('network', 'Fetches the text of a web address. Private hosts are refused.', FETCH_SECONDS, [
      '/url',
    ]),
    schema: z.strictObject({
      url: z.string().max(2_048).meta({ description: 'An address that begins with https:// or http://.' }),
    }),
    run: async ({ signal, limits }, { url }) => {
      if (hostOf(url) === null) {
        throw new ToolRefusal(
          'workspace.invalid_url',
          'The address must begin with https:// or http://, without a user or password.',
        );
      }
      const answer = await fetched(guardedFetch(url, { signal }), signal);
      const text = textOf(new Uint8Array(await answer.arrayBuffer()));
      if (text === null)
        throw new ToolRefusal('workspace.binary_answer', 'The address answered with something that is no text.');
      const { status, headers } = answer;
      const location = headers.get('location');
      return {
        status,
        content_type: headers.get('content-type'),
        ...(location === null ? {} : { location }),
        ...cutText(text, limits.outputBytes),
      };
    },
  });

async function fetched(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  try {
    return await answer;
  } catch (problem) {
    signal.throwIfAborted();
    const reason = problem instanceof Error ? problem.message : 'unknown problem';
    throw new ToolRefusal('workspace.fetch_failed', `The address did not answer: ${reason}.`);
  }
}

/** The host of a web address, or null. */
function hostOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, username, password } = new URL(url);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' ? host : null;
}
