import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { mcpProblem } from './mcp-problem.js';
import { TooManyToolsError, VastMessageError } from './screen-messages.js';

it.each<[string, Error, object]>([
  [
    'pages without end',
    new SdkError(SdkErrorCode.ListPaginationExceeded, 'no end', {}),
    { code: 'mcp.too_many_tools', refused: true },
  ],
  [
    'an answer with too many tools, which may be that of a call',
    new TooManyToolsError(),
    { code: 'mcp.too_many_tools', refused: false },
  ],
  [
    'a message that is too vast to check',
    new VastMessageError('a message of more than 20000 values'),
    { code: 'dispatch.bad_answer', message: 'The MCP server ops answered with a message of more than 20000 values.' },
  ],
])('names %s', (_what, error, expected) => {
  expect(mcpProblem(error, { server: 'ops', seconds: 3 })).toMatchObject(expected);
});

it('T32: hides a secret in the words of a server, also with NUL inside', () => {
  const hide = (said: string): string => said.replaceAll('tok-1', '[masked]');
  const problem = mcpProblem(new ProtocolError(-32000, 'no access for tok\0-1'), { server: 'ops', seconds: 3, hide });
  expect(problem?.message).toContain('no access for [masked]');
});
