import type { Command } from 'commander';
import { classifyShellSchema, type ClassifyShellBody } from '#lib/api-schemas';
import { parseStrictJson, StrictJsonError } from '#lib/canonical';
import { wordsOfIssue } from '#lib/words';
import type { ShellVerdict } from '#lib/shell-safety';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Io } from '../io.js';
import { jsonLines, type NumberedLine } from '../json-lines.js';

/** A command of 64 K characters, each of them escaped, and the members around it. */
const MAX_LINE = 524_288;

/** `countersign shell classify`: no server, no network and no database. */
export function addShell(program: Command, io: Pick<Io, 'out' | 'pieces'>): void {
  const shell = program.command('shell').description('judge command lines, without executing them');
  shell
    .command('classify')
    .description('read command lines as JSON, one a line, and write the verdict on each')
    .addHelpText(
      'after',
      `
Standard input, one a line; "shell" is bash, sh, zsh or unknown (the default):
  {"command": "git status", "shell": "bash"}

Standard output, in the same order:
  {"command": "git status", "tier": 1, "class": "READ_ONLY", "allow_listed": "blocked", "reasons": [...]}

A line that is wrong ends the command with exit code 2. The lines before it have their answers.

Example:
  echo '{"command": "rm -rf build"}' | countersign shell classify
`,
    )
    .action(async () => {
      const { classifyCommand } = await import('#lib/shell-safety');
      for await (const line of jsonLines(io.pieces(), MAX_LINE)) {
        if (line.text.trim() === '') continue;
        const { command, shell } = asked(line);
        io.out(`${JSON.stringify(answerTo(command, classifyCommand(command, shell)))}\n`);
      }
    });
}

function asked({ number, text }: NumberedLine): ClassifyShellBody {
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw refusal(`Line ${String(number)} is not JSON: ${error.message}.`, []);
  }
  const parsed = classifyShellSchema.safeParse(value, { error: wordsOfIssue });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`);
  throw refusal(`Line ${String(number)} is no command line to judge.`, details);
}

const refusal = (message: string, details: readonly string[]): CommandError =>
  new CommandError(
    EXIT.usage,
    message,
    'Write {"command": "…", "shell": "bash"} on a line of its own. The lines before it have their answers.',
    details,
    'shell.line_malformed',
  );

const answerTo = (command: string, { tier, class: shellClass, allowListed, parts }: ShellVerdict): object => ({
  command,
  tier,
  class: shellClass,
  allow_listed: allowListed,
  reasons: parts.flatMap((part) => part.reasons),
});
