import { spawnSync } from 'node:child_process';
import { join, relative, resolve } from 'node:path';

interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

const root = join(__dirname, '../..');
const fixtures = 'test/architecture/fixtures';

describe('the rules of the linter', () => {
  const { stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/oxlint'),
    ['--no-ignore', '--format', 'json', fixtures],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  if (!stdout.startsWith('{')) throw new Error(`oxlint did not answer: ${stdout}${stderr}`);
  const found = (JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] }).diagnostics.map(
    ({ code, message, help = '', filename, labels }) => ({
      code,
      says: `${message} ${help}`,
      at: `${relative(join(root, fixtures), resolve(root, filename))}:${String(labels[0]?.span.line)}`,
    }),
  );

  it.each([
    ['domain/impure.ts:2', 'eslint(no-restricted-properties)', 'no clock'],
    ['domain/impure.ts:3', 'countersign(no-clock)', 'no clock'],
    ['domain/impure.ts:4', 'eslint(no-restricted-properties)', 'no randomness'],
    ['domain/impure.ts:5', 'eslint(no-restricted-globals)', 'no environment'],
    ['domain/impure.ts:6', 'eslint(no-restricted-globals)', 'no I/O'],
    ['libs/recursive-mkdir.ts:4', 'countersign(no-recursive-mkdir)', 'makeFolder'],
    ['libs/recursive-mkdir.ts:5', 'countersign(no-recursive-mkdir)', 'makeFolder'],
    ['libs/cast-answers.ts:3', 'countersign(no-cast-answer)', 'parse the answer'],
    ['libs/cast-answers.ts:4', 'countersign(no-cast-answer)', 'parse the answer'],
    ['libs/cast-answers.ts:5', 'countersign(no-cast-answer)', 'parse the answer'],
    ['libs/cast-answers.ts:6', 'countersign(no-cast-answer)', 'parse the answer'],
    ['libs/cast-answers.ts:21', 'countersign(no-cast-answer)', 'parse the answer'],
    ['libs/cast-answers.ts:22', 'countersign(no-cast-answer)', 'parse the answer'],
    ['libs/cast-answers.ts:23', 'countersign(no-cast-answer)', 'parse the answer'],
    ['libs/private-members.ts:2', 'countersign(private-by-hash)', '#name'],
    ['libs/private-members.ts:16', 'countersign(private-by-hash)', '#name'],
    ['libs/reasoned-casts.ts:3', 'countersign(reasoned-cast)', 'needs its reason'],
    ['libs/reasoned-casts.ts:4', 'countersign(reasoned-cast)', 'needs its reason'],
    ['libs/reasoned-casts.ts:15', 'countersign(reasoned-cast)', 'needs its reason'],
    ['application/many-parameters.ts:4', 'eslint(max-params)', 'too many parameters (7)'],
  ])('catch %s (%s)', (at, code, says) => {
    expect(found).toContainEqual({ at, code, says: expect.stringContaining(says) });
  });

  it('let an answer be any JSON, and report each cast once', () => {
    expect(found.filter(({ code }) => code === 'countersign(no-cast-answer)')).toHaveLength(7);
  });

  it('let a cast stand beside its reason, or assert nothing', () => {
    const caught = found.filter(
      ({ at, code }) => at.startsWith('libs/reasoned-casts') && code === 'countersign(reasoned-cast)',
    );
    expect(caught).toHaveLength(3);
  });

  it('let a folder be made whose parent is there', () => {
    const caught = found.filter(({ code }) => code === 'countersign(no-recursive-mkdir)');
    expect(caught.map(({ at }) => at).sort()).toEqual(['libs/recursive-mkdir.ts:4', 'libs/recursive-mkdir.ts:5']);
  });

  it('let a constructor and its parameters be private', () => {
    const caught = found.filter(({ code }) => code === 'countersign(private-by-hash)');
    expect(caught.map(({ at }) => at).sort()).toEqual(['libs/private-members.ts:16', 'libs/private-members.ts:2']);
  });

  it('let a use case take six positional parameters', () => {
    expect(found.filter(({ code }) => code === 'eslint(max-params)')).toHaveLength(1);
  });
});
