import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

const root = join(__dirname, '../..');
const fixture = 'test/architecture/fixtures/domain/impure.ts';

describe('the rules of the linter inside domain/', () => {
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json', fixture], {
    cwd: root,
    encoding: 'utf8',
  });
  if (!stdout.startsWith('{')) throw new Error(`oxlint did not answer: ${stdout}${stderr}`);
  const found = (JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] }).diagnostics.map(
    ({ code, message, help = '', labels }) => ({ code, says: `${message} ${help}`, line: labels[0]?.span.line }),
  );

  it.each([
    [2, 'eslint(no-restricted-properties)', 'no clock'],
    [3, 'countersign(no-clock)', 'no clock'],
    [4, 'eslint(no-restricted-properties)', 'no randomness'],
    [5, 'eslint(no-restricted-globals)', 'no environment'],
    [6, 'eslint(no-restricted-globals)', 'no I/O'],
  ])('catch line %i (%s)', (line, code, says) => {
    expect(found).toContainEqual({ line, code, says: expect.stringContaining(says) });
  });
});
