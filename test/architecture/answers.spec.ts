import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../apps/api/src');

/** A class that reads for an answer. */
const READER = /^(Read|Get|List|Count|Locate)[A-Z]|Headlines$/;

const STOPS = 'The stop holds even if its answer cannot be read.';
/** By handler: the reason why it reads in another transaction than its use case. */
const READS_APART: Readonly<Record<string, string>> = {
  'runs.controller.ts cancel': STOPS,
  'runs.controller.ts pause': STOPS,
  'runs.controller.ts rollBack': STOPS,
  'sessions.controller.ts end': STOPS,
  'tasks.controller.ts cancel': STOPS,
  'environments.controller.ts change': 'It reads the version before, which If-Match names.',
  'invitations.controller.ts mail': 'It hands the link to the mail server once the invitation is committed.',
  'mcp-servers.controller.ts look': 'It asks the MCP server between two transactions.',
  'issuers.controller.ts put': 'It reads the version before, which If-Match names.',
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

/** The handlers of a controller that change something, read for their answer, and do so in a second transaction. */
function readingApart(file: string, text: string): readonly string[] {
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
      const enclosed = /@AnswersNothing\(\)|@OneTransaction\(\)|@Idempotent(?:WithSecretAnswer)?\(\)/.test(head);
      const reads = usedBy(name, methods).some((member) => READER.test(types.get(member) ?? ''));
      return reads && !enclosed ? [`${file} ${name}`] : [];
    },
  );
}

const controllers = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.controller.ts'))
  .map((path) => [path.split('/').at(-1) ?? path, readFileSync(join(root, path), 'utf8')] as const);

describe('a route that changes something', () => {
  it('reads for its answer in the transaction of its use case', () => {
    expect(controllers.length).toBeGreaterThan(40);
    expect(controllers.flatMap(([file, text]) => readingApart(file, text)).toSorted()).toEqual(
      Object.keys(READS_APART).toSorted(),
    );
  });

  it('is found if it reads in a second one, also in a method of its own', () => {
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
    expect(readingApart('things.controller.ts', text(''))).toEqual(['things.controller.ts close']);
    expect(readingApart('things.controller.ts', text('\n  @OneTransaction()'))).toEqual([]);
  });
});
