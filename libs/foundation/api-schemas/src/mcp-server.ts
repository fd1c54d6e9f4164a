import { z } from 'zod';
import { digestSchema, timestampSchema, toolDocumentSchema, uuidSchema } from '#lib/formats';

const definitionSchema = z
  .record(z.string(), z.json())
  .nullable()
  .meta({ description: 'Name, title, description, schemas and annotations: the words of a stranger.' });

const mcpServerToolSchema = z.object({
  tool: z.string().meta({ description: 'Its name at the server.' }),
  name: z.string().meta({ description: 'Its name in Countersign: mcp:<server>:<tool>.' }),
  standing: z.enum(['unassigned', 'accepted', 'changed', 'gone', 'unusable']).meta({
    description:
      'accepted: agents can call it, as policies say. changed or gone: its calls are refused as mcp.definition_changed. unassigned: nobody can call it. unusable: its definition breaks a bound.',
  }),
  problem: z.string().nullable().meta({ description: 'The bound that its definition breaks.' }),
  digest: digestSchema.nullable().meta({ description: 'Of the definition that the server lists now.' }),
  definition: definitionSchema,
  accepted_digest: digestSchema.nullable(),
  accepted_definition: definitionSchema,
  differs: z
    .array(z.string())
    .meta({ description: 'The members of the definition that differ from the accepted one.' }),
  waiting: z
    .object({ change_request_id: uuidSchema, digest: digestSchema })
    .nullable()
    .meta({ description: 'An acceptance that waits for a second person, with the digest of the definition.' }),
});

export const mcpServerSchema = z
  .object({
    environment: z.string(),
    name: z.string().meta({ description: 'The executor of kind mcp that it is.' }),
    transport: z.enum(['http', 'stdio']).meta({
      description: 'http: Countersign calls it at its address. stdio: a runner of its pool starts it.',
    }),
    url: z.string().nullable().meta({ description: 'Null if runners start it.' }),
    pool: z.string().nullable().meta({ description: 'The pool of the runners that start it.' }),
    server: z.string().nullable().meta({ description: 'The name that the operators of the runners list it under.' }),
    looked_at: timestampSchema.nullable().meta({ description: 'When it last answered or failed; null before that.' }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'The reason why the last look failed; the tools are then of an earlier one.' }),
    tools: z.array(mcpServerToolSchema),
  })
  .meta({ id: 'McpServer' });
export type McpServerView = z.infer<typeof mcpServerSchema>;

export const mcpServerListSchema = z.object({ items: z.array(mcpServerSchema) }).meta({ id: 'McpServerList' });

export const mcpToolNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,100}$/, 'must be the name of a tool of the server');

export const mcpAcceptanceSchema = toolDocumentSchema
  .omit({ parameters: true, result_schema: true, mcp: true, executor: true })
  .partial({ description: true })
  .extend({ digest: digestSchema.meta({ description: 'Of the definition that you saw.' }) })
  .meta({
    id: 'McpAcceptance',
    description:
      'The risk of a tool, which you assign; hints of the server count for nothing. Its description is that of the server if left out.',
  });
export type McpAcceptanceBody = z.infer<typeof mcpAcceptanceSchema>;
