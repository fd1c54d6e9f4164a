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

/** By class that handlers share: the reason why it reads. */
const READS_SHARED: Readonly<Record<string, string>> = {
  BrowserSessions: 'It checks that a page of ours sent the request, before the use case.',
  GuardedAnswers: ROLES,
  PutDocuments: 'It reads what is in force, to put only the documents that differ.',
  ToolCallWaits: 'It reads once it listens, since the call may have changed before, and after each wait.',
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

const PARAMETERS = /^ {2}constructor\([^]*?^ {2}\) \{|^ {2}constructor\(.*$/m;

/** The classes that others may inject, with the types that they inject themselves. */
const injectedBy = (texts: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    texts.flatMap((text) => {
      const [, name] = /^@Injectable\(\)\s+export class (\w+)/m.exec(text) ?? [];
      return name === undefined ? [] : [[name, typesIn(PARAMETERS.exec(text)?.[0] ?? '').map(([, type]) => type)]];
    }),
  );

const typesIn = (text: string): readonly (readonly [name: string, type: string])[] =>
  [...text.matchAll(/readonly (\w+): (\w+)/g)].map(([, name = '', type = '']) => [name, type]);

/** The injected class among some types that reads, or the classes behind them that do. */
function sharedReaders(types: readonly string[], classes: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return types.flatMap((type) => {
    const within = classes.get(type) ?? [];
    return within.some((one) => READER.test(one)) ? [type] : sharedReaders(within, classes);
  });
}

interface ReadingHandler {
  readonly handler: string;
  /** Whether it reads in another transaction than its use case. */
  readonly apart: boolean;
  /** Whether it reads by itself, and not through a class that it shares. */
  readonly itself: boolean;
  /** The shared classes by which it reads. */
  readonly shared: readonly string[];
}

/** The handlers of a controller that change something, and read for their answer. */
function readingHandlers(
  file: string,
  text: string,
  classes: ReadonlyMap<string, readonly string[]>,
): readonly ReadingHandler[] {
  const types = new Map(typesIn(text));
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
      const used = usedBy(name, methods).flatMap((member) => types.get(member) ?? []);
      const itself = used.some((type) => READER.test(type));
      const shared = sharedReaders(used, classes);
      const reads = itself || shared.length > 0;
      return reads && !answersNothing ? [{ handler: `${file} ${name}`, apart, itself, shared }] : [];
    },
  );
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => [path.split('/').at(-1) ?? path, readFileSync(join(root, path), 'utf8')] as const);
const controllers = files.filter(([file]) => file.endsWith('.controller.ts'));
const classes = injectedBy(files.map(([, text]) => text));

const found = controllers.flatMap(([file, text]) => readingHandlers(file, text, classes));
const reading = found.filter(({ itself }) => itself);
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

  it('reads by a class that it shares only as its reason says', () => {
    expect(classes.size).toBeGreaterThan(25);
    expect([...new Set(found.flatMap(({ shared }) => shared))].toSorted()).toEqual(
      Object.keys(READS_SHARED).toSorted(),
    );
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
    const things = (decorator: string, known: ReadonlyMap<string, readonly string[]> = new Map()) =>
      readingHandlers('things.controller.ts', text(decorator), known);
    const itself = { handler, itself: true, shared: [] };
    expect(things('')).toEqual([{ ...itself, apart: true }]);
    expect(things('\n  @OneTransaction()')).toEqual([{ ...itself, apart: false }]);
    expect(things('\n  @AnswersNothing()')).toEqual([]);
    const wrapped = injectedBy([
      '@Injectable()\nexport class CloseThing {\n  constructor(private readonly things: ShowThings) {}\n',
      '@Injectable()\nexport class ShowThings {\n  constructor(\n    private readonly reading: ReadThings,\n  ) {}\n',
    ]);
    expect(things('', wrapped)).toMatchObject([{ shared: ['ShowThings'] }]);
  });
});
