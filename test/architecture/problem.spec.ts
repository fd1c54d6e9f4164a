import { problemSchema, type Problem } from '#lib/api-schemas';
import { problemIn } from '#lib/client';

const until = '2026-01-05T09:00:00Z';

/** A problem with each member that the schema names. A change that waits is an answer of its own, checked elsewhere. */
const whole: Problem = {
  type: 'urn:countersign:problem:test.whole',
  title: 'Not found',
  status: 404,
  detail: 'There is no such thing.',
  code: 'test.whole',
  action: 'Look again.',
  details: {
    route: 'GET /v1/things',
    what: 'A thing',
    loosens: ['a guardrail'],
    plans: ['plan'],
    tool_call_id: 'call',
    done: [
      {
        change: 'create',
        name: 'qa',
        what: 'not production',
        guarded: false,
        guardrail_warning: 'No second person.',
        role_warnings: ['No such role.'],
      },
    ],
  },
  errors: [{ pointer: '/a', code: 'a.b', message: 'No.', line: 1, column: 2, suggestion: 'c' }],
  reasons: [{ code: 'freeze.active', message: 'Frozen.', rule: 'countersign.plan', details: { until } }],
  instance: 'urn:countersign:request:1',
};

type Path = readonly (string | number)[];

/** The paths of all members and items of a document. */
const pathsIn = (value: unknown, path: Path = []): Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [[...path, name], ...pathsIn(member, [...path, name])])
    : [];

/** The document with another value at a path; without the member if the value is undefined. */
function withAt(document: object, path: Path, value: unknown): unknown {
  const copy = structuredClone(document);
  const holder = path.slice(0, -1).reduce<object>((each, name) => Reflect.get(each, name) as object, copy);
  const name = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(holder, name);
  else Reflect.set(holder, name, value);
  return JSON.parse(JSON.stringify(copy));
}

const takenByClients = (document: unknown): boolean => problemIn(document, new Headers()) !== null;
const takenBySchema = (document: unknown): boolean => problemSchema.safeParse(document).success;

const VALUES: readonly unknown[] = [undefined, null, 1, 1.5, true, false, 'text', [], [1], {}, [{}]];

it.each(pathsIn(whole).map((path) => [path.join('/'), path] as const))(
  'clients take a problem with another %s exactly if the schema of the API does',
  (_name, path) => {
    const documents = VALUES.map((value) => withAt(whole, path, value));
    expect(documents.map(takenByClients)).toEqual(documents.map(takenBySchema));
  },
);

it('clients and the schema take the whole problem, and members that a later server adds', () => {
  for (const document of [whole, { ...whole, more: 1, details: { ...whole.details, more: 1 } }])
    expect([takenByClients(document), takenBySchema(document)]).toEqual([true, true]);
});

it('the whole problem has each member that the schema names', () => {
  const { details, ...rest } = problemSchema.shape;
  expect(Object.keys(whole).toSorted()).toEqual([...Object.keys(rest), 'details'].toSorted());
  const done = details.unwrap().shape.done.unwrap().element.shape;
  expect(Object.keys(whole.details ?? {}).toSorted()).toEqual(Object.keys(details.unwrap().shape).toSorted());
  expect([...Object.keys(whole.details?.done?.[0] ?? {}), 'waits'].toSorted()).toEqual(Object.keys(done).toSorted());
});
