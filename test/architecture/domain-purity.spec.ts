import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface LintMessage {
  readonly line: number;
  readonly ruleId: string;
  readonly message: string;
}

const root = join(__dirname, '../..');
const fixture = 'test/architecture/fixtures/domain/impure.ts';

describe('the rules of ESLint inside domain/', () => {
  // None of them asks for types, which ESLint would have to work out for all sources.
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { ESLint } from 'eslint';
       import { configs } from 'typescript-eslint';
       const eslint = new ESLint({ ignore: false, overrideConfig: configs.disableTypeChecked });
       console.log(JSON.stringify(await eslint.lintFiles(${JSON.stringify(fixture)})));`,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (stdout === '') throw new Error(`eslint did not answer: ${stderr}`);
  const messages = (JSON.parse(stdout) as { messages: LintMessage[] }[]).flatMap((file) => file.messages);

  it.each([
    [2, 'no-restricted-properties', 'no clock'],
    [3, 'no-restricted-syntax', 'no clock'],
    [4, 'no-restricted-properties', 'no randomness'],
    [5, 'no-restricted-globals', 'no environment'],
    [6, 'no-restricted-globals', 'no I/O'],
  ])('catches line %i (%s)', (line, ruleId, says) => {
    expect(messages).toContainEqual(expect.objectContaining({ line, ruleId, message: expect.stringContaining(says) }));
  });
});
