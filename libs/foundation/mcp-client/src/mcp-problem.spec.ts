import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { mcpProblem } from './mcp-problem.js';
import { VastMessageError } from './screen-messages.js';

it.each<[string, Error, object]>([
  [
    'pages without end',
    new SdkError(SdkErrorCode.ListPaginationExceeded, 'no end', {}),
    { code: 'mcp.too_many_tools', refused: true },
  ],
  [
    'a message that is too vast to check',
    new VastMessageError('a message of more than 20000 values'),
    { code: 'dispatch.bad_answer', message: 'The MCP server ops answered with a message of more than 20000 values.' },
  ],
])('names %s', (_what, error, expected) => {
  expect(mcpProblem(error, { server: 'ops', seconds: 3 })).toMatchObject(expected);
});
