import type { AutonomyDocument } from '#lib/formats';
import { newId, type TenantId } from '#lib/kernel';
import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { readDocument } from '../domain/read-document.js';
import { checkNotified } from './check-notified.js';

const overriding = (notifies: readonly string[], enabled = true): string =>
  [
    'autonomy: { mode: plan_only }',
    'emergency_override:',
    `  enabled: ${String(enabled)}`,
    '  allowed_roles: [SRELead]',
    ...(notifies.length === 0 ? [] : [`  notifies: [${notifies.join(', ')}]`]),
  ].join('\n');

function sourced(source: string) {
  const read = readDocument(source);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

/** Checks a document, while the destination `silent` has no address. */
const check = (source: string, standing: AutonomyDocument | null, another: boolean) =>
  new FakeUnitOfWork().run(newId<TenantId>(), (tx) =>
    checkNotified(
      tx,
      {
        unanswered: (_tx, names) =>
          Promise.resolve(names.filter((name) => name === 'silent').map((name) => ({ name, why: 'has no address' }))),
        tellsAnother: () => Promise.resolve(another),
      },
      sourced(source),
      standing,
    ),
  );
const inForce = (...source: Parameters<typeof overriding>): AutonomyDocument => sourced(overriding(...source)).document;

const unreachable = (at: number) => ({
  pointer: `/emergency_override/notifies/${String(at)}`,
  code: 'autonomy.unreachable_destination',
});
const nobody = { pointer: '/emergency_override', code: 'autonomy.tells_nobody' };
const people = { pointer: '/emergency_override', code: 'autonomy.no_destination' };

describe('break-glass', () => {
  it.each<[string, string, AutonomyDocument | null, boolean, readonly object[], readonly object[]]>([
    ['each destination answers', overriding(['pager']), null, false, [], []],
    ['it is off', overriding(['silent'], false), null, false, [], []],
    ['a new destination has no address', overriding(['pager', 'silent']), null, true, [unreachable(1)], []],
    ['it is switched on with one', overriding(['silent']), inForce(['silent'], false), true, [unreachable(0)], []],
    ['one stopped answering since', overriding(['silent']), inForce(['silent']), true, [], [unreachable(0)]],
    ['only people are notified', overriding([]), null, true, [], [people]],
    ['nobody else is notified', overriding([]), null, false, [nobody], []],
    ['nobody else has been notified before', overriding([]), inForce([]), false, [], [nobody]],
  ])('has these errors and warnings if %s', async (_what, source, standing, another, errors, warnings) => {
    const found = await check(source, standing, another);
    expect(found).toMatchObject({ errors, warnings });
    expect([found.errors.length, found.warnings.length]).toEqual([errors.length, warnings.length]);
  });
});
