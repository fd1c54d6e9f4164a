import {
  completable,
  fromJsonSchema,
  inputRequired,
  ResourceTemplate,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { TaskingServer } from '../../apps/api/src/mcp/tasking-server.js';
import { askFor, text, wordOf } from './fixture-tasks.js';

/** One red point. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** A sound without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** With the words of JSON Schema 2020-12 that a list of tools must keep. */
const JSON_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const said = (words: string) => ({ role: 'user', content: { type: 'text', text: words } }) as const;
const embedded = (uri: string, mimeType: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: words } }) as const;

const ANSWERS: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: text('This is a simple text response for testing.'),
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  test_multiple_content_types: {
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  // It logs nothing.
  test_logging_tool: text('Done'),
  test_error_handling: { ...text('This tool intentionally returns an error for testing'), isError: true },
};

/** The tools, resources and prompts that the suite asks of every server, with the content that it names. */
export function serveContent(server: TaskingServer): void {
  for (const [name, answer] of Object.entries(ANSWERS))
    server.registerTool(name, { description: 'Answers with content' }, () => answer);
  server.registerTool('test_tool_with_progress', { description: 'Reports progress' }, async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    if (progressToken !== undefined)
      for (const progress of [0, 50, 100])
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    return text('Done');
  });
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'Takes an argument that a header mirrors',
      inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }).optional() }),
    },
    ({ region = 'none' }) => text(region),
  );
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Takes an argument of many words', inputSchema: fromJsonSchema(JSON_SCHEMA) },
    () => text('Done'),
  );
  serveResources(server);
  servePrompts(server);
}

function serveResources(server: TaskingServer): void {
  const static_ = { description: 'Never changes' };
  server.registerResource('text', 'test://static-text', { ...static_, mimeType: 'text/plain' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('binary', 'test://static-binary', { ...static_, mimeType: 'image/png' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href: uri }, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${String(id)}` };
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
  });
}

function servePrompts(server: TaskingServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Says one thing' }, () => ({
    messages: [said('This is a simple prompt for testing.')],
  }));
  const argsSchema = z.object({ arg1: completable(z.string(), () => []), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { description: 'Takes two', argsSchema }, ({ arg1, arg2 }) => ({
    messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }));
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        { role: 'user', content: embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.') },
        said('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows an image' }, () => ({
    messages: [{ role: 'user', content: image }, said('Please analyze the image above.')],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, ({ mcpReq }) => {
    const context = wordOf(mcpReq.inputResponses, 'user_context', 'context');
    if (context !== null) return { messages: [said(context)] };
    const user_context = askFor('context', 'What context should the prompt use?');
    return inputRequired({ inputRequests: { user_context } });
  });
}
