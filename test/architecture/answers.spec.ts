import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../apps/api/src');

/** A class that reads for an answer. */
const READER = /^(Read|Get|List|Count|Locate)[A-Z]/;

const LINE = 'It finds the line that decided in the autonomy document; a revision is read once.';
const CALLS = 'The calls of a session are counted by another library.';
const ROLES =
  'It warns of a role that no rule names; a warning refuses nothing, so the use case decides without the rules.';
/** By handler: the reason why its answer holds more than its use case returned. */
const READS: Readonly<Record<string, string>> = {
  'approval-requests.controller.ts open': LINE,
  'approval-requests.controller.ts review': LINE,
  'approval-requests.controller.ts withdraw': LINE,
  'invitations.controller.ts invite': ROLES,
  'invitations.controller.ts mail': ROLES,
  'issuers.controller.ts confirm':
    'It says of each issuer whether the caller may confirm it, by the seats of the authors of all.',
  'issuers.controller.ts put':
    'It reads the revision before, which If-Match names, and whether the caller may confirm each issuer.',
  'mcp-servers.controller.ts look': 'It shows the definitions that wait for a second person, which are changes.',
  'people.controller.ts assign': ROLES,
  'people.controller.ts vouch':
    'It names the ways in which the person is known now, and the use case read them before it vouched.',
  'plans.controller.ts submit': LINE,
  'plans.controller.ts withdraw': 'It finds the line in the revision that was in force at the decision.',
  'queue.controller.ts claim': LINE,
  'sessions.controller.ts change': CALLS,
  'sessions.controller.ts end': CALLS,
  'simulations.controller.ts start': LINE,
  'tasks.controller.ts cancel': 'The headline is that of the latest plan, and the stage of tasks knows no plan.',
};

const STOPS = 'The stop holds even if its answer cannot be read.';
/** By handler: the reason why it reads that in another transaction than its use case. */
const READS_APART: Readonly<Record<string, string>> = {
  'sessions.controller.ts end': STOPS,
  'tasks.controller.ts cancel': STOPS,
  'invitations.controller.ts mail': 'It hands the link to the mail server once the invitation is committed.',
  'mcp-servers.controller.ts look': 'It asks the MCP server between two transactions.',
  'issuers.controller.ts put': 'The use case checks the revision again, under its lock.',
};

/** The members of `this` that a method uses, over private methods and other handlers too. */
function usedBy(name: string, methods: ReadonlyMap<string, string>, seen = new Set<string>()): readonly string[] {
  const body = methods.get(name);
  if (body === undefined || seen.has(name)) return [];
  seen.add(name);
  return [...body.matchAll(/this\s*\.(#?\w+)/g)].flatMap(([, member = '']) =>
    methods.has(member) ? usedBy(member, methods, seen) : [member],
  );
}

interface ReadingHandler {
  readonly handler: string;
  /** Whether it reads in another transaction than its use case. */
  readonly apart: boolean;
}

/** The handlers of a controller that change something, and read for their answer. */
function readingHandlers(file: string, text: string): readonly ReadingHandler[] {
  const types = new Map(
    [...text.matchAll(/private readonly (\w+): (\w+)/g)].map(([, name = '', type = '']) => [name, type]),
  );
  const methods = new Map(
    [
      ...text
        .replace(/^ {2}constructor\([^]*?^ {2}\)/m, '')
        .matchAll(/^ {2}(?:private )?(?:async )?(#?\w+)\([^]*?^ {2}\}$/gm),
    ].map(([body, name = '']) => [name, body]),
  );
  return [...text.matchAll(/^ {2}@(?:Post|Put|Patch|Delete)\([^]*?^ {2}(?:async )?(\w+)\(/gm)].flatMap(
    ([head, name = '']) => {
      const answersNothing = head.includes('@AnswersNothing()');
      const apart = !/@OneTransaction\(\)|@Idempotent(?:WithSecretAnswer)?\(\)/.test(head);
      const reads = usedBy(name, methods).some((member) => READER.test(types.get(member) ?? ''));
      return reads && !answersNothing ? [{ handler: `${file} ${name}`, apart }] : [];
    },
  );
}

const controllers = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.controller.ts'))
  .map((path) => [path.split('/').at(-1) ?? path, readFileSync(join(root, path), 'utf8')] as const);

const reading = controllers.flatMap(([file, text]) => readingHandlers(file, text));
const namesOf = (handlers: readonly ReadingHandler[]): readonly string[] =>
  handlers.map(({ handler }) => handler).toSorted();

describe('a route that changes something', () => {
  it('answers from the return of its use case, and reads no more than its reason says', () => {
    expect(controllers.length).toBeGreaterThan(40);
    expect(namesOf(reading)).toEqual(Object.keys(READS).toSorted());
  });

  it('reads that in the transaction of its use case', () => {
    expect(namesOf(reading.filter(({ apart }) => apart))).toEqual(Object.keys(READS_APART).toSorted());
  });

  it('is found if it reads, also in a method of its own, or in a second transaction', () => {
    const text = (decorator: string): string => `
  constructor(
    private readonly closing: CloseThing,
    private readonly reading: ReadThings,
  ) {}

  @Post(':id/close')${decorator}
  async close(id: string): Promise<View> {
    await this.closing.execute(id);
    return this.#view(id);
  }

  #view(id: string): Promise<View> {
    return this.reading.one(id);
  }
`;
    const handler = 'things.controller.ts close';
    expect(readingHandlers('things.controller.ts', text(''))).toEqual([{ handler, apart: true }]);
    expect(readingHandlers('things.controller.ts', text('\n  @OneTransaction()'))).toEqual([{ handler, apart: false }]);
    expect(readingHandlers('things.controller.ts', text('\n  @AnswersNothing()'))).toEqual([]);
  });
});
