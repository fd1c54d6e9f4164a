import { z } from 'zod';
import { completeDefinition } from '#lib/tool';
import {
  DEFAULT_LIMITS,
  defineTool,
  ToolRefusal,
  type OutputChunk,
  type RefusalEffect,
  type RunnerTool,
  type ToolContext,
  type ToolLimits,
  type ToolOutcome,
  type ToolSource,
} from './index.js';

const schema = z.strictObject({ path: z.string().max(100) });

const toolThat = (
  run: ToolSource<typeof schema>['run'],
  seconds = 15,
  effect: 'read' | 'modify' = 'read',
): RunnerTool =>
  defineTool({
    name: 'look',
    document: {
      description: 'Looks at a file.',
      risk: effect === 'read' ? 'read_only' : 'state_change_nonprod',
      effect,
      idempotent: true,
      scope: 'asset',
      surface: 'workspace',
      identity_fields: ['/path'],
      time_limit_seconds: seconds,
    },
    schema,
    run,
  });

const limits: ToolLimits = DEFAULT_LIMITS;

function contextOf(signal = new AbortController().signal): ToolContext & { readonly chunks: OutputChunk[] } {
  const chunks: OutputChunk[] = [];
  return {
    root: '/nowhere',
    signal,
    output: (chunk) => chunks.push(chunk),
    limits,
    secretsToMask: ['hunter2-hunter2'],
    chunks,
  };
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

describe('the edge of a tool', () => {
  it('publishes a document that a registry accepts', () => {
    const { name, document } = toolThat(() => Promise.resolve({}));
    expect(completeDefinition(name, document, '')).toMatchObject({
      ok: true,
      value: { time_limit_seconds: 15, parameters: { required: ['path'], additionalProperties: false } },
    });
  });

  it('refuses arguments that the document does not declare, and says which', async () => {
    const outcome = await toolThat(() => Promise.resolve({})).call(contextOf(), { path: 7 });
    expect(outcome).toMatchObject({
      ok: false,
      effect: 'not_started',
      error: { code: 'runner.invalid_arguments', message: expect.stringContaining('/path') },
    });
  });

  it('masks a secret that is written in two parts', async () => {
    const context = contextOf();
    await toolThat(({ output }) => {
      for (const text of ['it is hunter2', '-hunter2\nno', 'thing']) output({ stream: 'stdout', text });
      return Promise.resolve({});
    }).call(context, { path: 'a' });
    expect(context.chunks.map(({ text }) => text).join('')).toBe('it is [masked]\nnothing');
  });

  it('gives the second part its own time limit, after which the change is done', async () => {
    const tool = defineTool({
      name: 'write',
      document: {
        description: 'Writes.',
        risk: 'state_change_nonprod',
        effect: 'modify',
        idempotent: true,
        scope: 'asset',
        time_limit_seconds: 15,
      },
      schema,
      run: () => Promise.resolve({}),
      after: { seconds: 0.02, run: ({ signal }) => untilAborted(signal) },
    });
    expect(tool.document.time_limit_seconds).toBe(15.02);
    expect(await tool.call(contextOf(), { path: 'a' })).toMatchObject({
      effect: 'done',
      error: { code: 'runner.time_limit' },
    });
  });

  it('masks secrets in results, output and refusals', async () => {
    const context = contextOf();
    const read = await toolThat((inner) => {
      inner.output({ stream: 'stdout', text: 'it is hunter2-hunter2' });
      return Promise.resolve({ text: 'hunter2-hunter2' });
    }).call(context, { path: 'a' });
    expect(read).toEqual({ ok: true, result: { text: '[masked]' } });
    expect(context.chunks.map(({ stream, text }) => `${stream}: ${text}`)).toEqual([
      'stdout: it is ',
      'stdout: [masked]',
    ]);

    const refused = await toolThat(() => Promise.reject(new ToolRefusal('a.b', 'not hunter2-hunter2', 'done'))).call(
      context,
      { path: 'a' },
    );
    expect(refused).toEqual({ ok: false, effect: 'done', error: { code: 'a.b', message: 'not [masked]' } });
  });

  it.each<['read' | 'modify', RefusalEffect]>([
    ['read', 'not_started'],
    ['modify', 'unknown'],
  ])('ends at the time limit: a tool that would %s has the effect %s', async (effect, left) => {
    const outcome: ToolOutcome = await toolThat(({ signal }) => untilAborted(signal), 0.02, effect).call(contextOf(), {
      path: 'a',
    });
    expect(outcome).toMatchObject({ ok: false, effect: left, error: { code: 'runner.time_limit' } });
  });

  it('says of the time of the whole call that it was over', async () => {
    const tool = toolThat(({ signal }) => untilAborted(signal));
    const outcome = await tool.call(contextOf(AbortSignal.timeout(20)), { path: 'a' });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'runner.time_limit' } });
  });

  it('ends if the caller cancels', async () => {
    const caller = new AbortController();
    const outcome = toolThat(({ signal }) => untilAborted(signal)).call(contextOf(caller.signal), { path: 'a' });
    caller.abort();
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'runner.cancelled' } });
  });

  it('answers an unexpected error as a failure, of unclear effect if the tool writes', async () => {
    const outcome = await toolThat(() => Promise.reject(new Error('disk on fire')), 15, 'modify').call(contextOf(), {
      path: 'a',
    });
    expect(outcome).toMatchObject({
      ok: false,
      effect: 'unknown',
      error: { code: 'runner.failed', message: expect.stringContaining('disk on fire') },
    });
  });
});
