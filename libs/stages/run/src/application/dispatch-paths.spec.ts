import type { ToolDefinition } from '#lib/formats';
import type { judgePaths } from '#lib/shell-safety';
import { newHost, phase, RUN_TOOLS, step } from '../fake-run-documents.js';
import { register } from '../fake-run-registry.js';
import { worldOfTest } from '../fake-run-world.js';

/** The path that a later Countersign judges in place of any other, if a test sets one. */
let later: string | null = null;
jest.mock('../../../../rules/shell-safety/src/domain/judge-paths.js', () => {
  const actual = jest.requireActual<{ judgePaths: typeof judgePaths }>(
    '../../../../rules/shell-safety/src/domain/judge-paths.js',
  );
  const judge: typeof judgePaths = (named) =>
    actual.judgePaths(later === null ? named : { reads: [later], writes: [] });
  return { ...actual, judgePaths: judge };
});

const world = worldOfTest();

/** Reads the file at a path. */
const read = (): ToolDefinition => {
  const check = RUN_TOOLS.find(({ name }) => name === 'check');
  if (check === undefined) throw new Error('there is no tool that reads');
  return {
    ...check,
    name: 'read',
    identity_fields: [],
    parameters: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false },
    path_arguments: { reads: ['/path'], writes: [] },
  };
};

describe('T52: a call with a path', () => {
  beforeEach(async () => {
    later = null;
    await world().tx((tx) => register(tx, world().tools, world().home, [read()]));
  });

  it.each([
    ['is sent if its path is judged as before', 'b', { state: 'completed', reason: null }, 1],
    [
      'is not sent if its path counts as a secret since',
      '.env',
      { state: 'paused', reason: { code: 'run.paths_differ' } },
      0,
    ],
  ] as const)('%s', async (_what, judged, expected, sent) => {
    const steps = [step('a', { tool: 'read', arguments: { path: 'a' } })];
    const { id } = await world().queued({ phases: [phase('one', [newHost()], steps)] });
    later = judged;
    expect(await world().settle(id)).toMatchObject(expected);
    expect(world().calls).toHaveLength(sent);
  });
});
