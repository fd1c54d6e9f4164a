import { classifyBy } from './classify-command.js';
import { FAKE_TABLE } from './fake-table.js';
import { LIMITS } from './limits.js';
import type { ShellVerdict } from './verdict.js';

const classify = (line: string): ShellVerdict => classifyBy(FAKE_TABLE, line, 'bash');
const codesOf = (line: string): string[] =>
  classify(line).parts.flatMap(({ reasons }) => reasons.map(({ code }) => code));
const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}ls${close.repeat(depth)}`;

/** A cap that turned "deny" into "ask" was the way around a deny list elsewhere. Each of these denies. */
describe('a line beyond a cap', () => {
  it.each([
    ['NUL', 'ls\0', 'shell.nul'],
    ['a carriage return', 'ls\r', 'shell.control_character'],
    ['an escape sequence', 'ls \u001b[2K', 'shell.control_character'],
    ['text that runs backwards', 'ls \u202e', 'shell.control_character'],
    ['too many bytes', `ls ${'x'.repeat(LIMITS.bytes)}`, 'shell.too_long'],
    ['too many bytes of longer characters', `ls ${'é'.repeat(LIMITS.bytes / 2)}`, 'shell.too_long'],
    ['too many commands', Array.from({ length: LIMITS.commands + 1 }, () => 'ls').join(';'), 'shell.too_many_commands'],
    ['too many commands in substitutions', `echo ${'$(ls)'.repeat(LIMITS.commands)}`, 'shell.too_many_commands'],
    ['too many words', `echo ${'x '.repeat(LIMITS.words)}`, 'shell.too_many_words'],
    ['too many expansions', `echo ${'$x'.repeat(LIMITS.openings + 1)}`, 'shell.too_many_expansions'],
    ['too many redirections', `ls ${'<x '.repeat(LIMITS.openings + 1)}`, 'shell.too_many_expansions'],
    ['subshells too deep', nested(LIMITS.depth + 1, '( ', ' )'), 'shell.too_deep'],
    ['substitutions too deep', nested(LIMITS.depth + 1, '$(', ')'), 'shell.too_deep'],
    ['loops too deep', nested(LIMITS.depth + 1, 'while ', '; do ls; done'), 'shell.too_deep'],
    ['wrappers too deep', `${'env '.repeat(LIMITS.depth + 1)}ls`, 'shell.too_deep'],
    ['no command', '', 'shell.empty'],
    ['only a comment', '# ls', 'shell.empty'],
    ['an open quote', 'echo "x', 'shell.unparsable'],
    ['an open substitution', 'echo $(ls', 'shell.unparsable'],
    ['an error in a substitution', 'echo $(ls ;; x)', 'shell.unparsable'],
    ['an error in a quoted substitution', 'echo "$(ls | )"', 'shell.unparsable'],
    ['an error in backticks', 'echo `ls ;;`', 'shell.unparsable'],
    ['an error in a script that a shell evaluates', "bash -c 'ls |'", 'shell.unparsable'],
    ['a here-document without an end', 'cat <<E\nx', 'shell.unparsable'],
    ['a pipe without a command', 'ls |', 'shell.unparsable'],
  ])('is denied: %s', (_what, line, code) => {
    expect(codesOf(line)).toContain(code);
    expect(classify(line)).toMatchObject({ tier: 3, allowListed: 'blocked' });
  });

  it.each([
    ['bytes', `echo ${'x'.repeat(LIMITS.bytes - 5)}`],
    ['commands', Array.from({ length: LIMITS.commands }, () => 'ls').join(';')],
    ['words', `echo ${'x '.repeat(LIMITS.words - 1)}`],
    ['expansions', `echo ${'$x'.repeat(LIMITS.openings)}`],
    ['depth', nested(LIMITS.depth - 1, '( ', ' )')],
  ])('begins behind it: %s', (_what, line) => {
    expect(classify(line).tier).toBe(1);
  });

  it('names the place of the mistake', () => {
    const [part] = classify('ls ;; x').parts;
    expect(part).toMatchObject({ start: 3, tier: 3, program: null });
  });

  it.each(['echo "x', 'echo $(ls', 'cat <<E\nx', 'ls ;; x', 'coproc a if'])('says how to fix it: %j', (line) => {
    const [reason] = classify(line).parts.flatMap(({ reasons }) =>
      reasons.filter(({ code }) => code === 'shell.unparsable'),
    );
    expect(reason?.message).toMatch(/\. Correct the line at this place\.$/);
  });

  it('keeps the parts that were read before it', () => {
    expect(classify(`rm -r x; ${'ls;'.repeat(LIMITS.commands)}`).parts[0]).toMatchObject({ program: 'rm', tier: 3 });
  });

  it.each([
    ['parentheses', '('.repeat(5_000)],
    ['substitutions', '$('.repeat(5_000)],
    ['arithmetic', '$(('.repeat(5_000)],
    ['arithmetic that is closed', `echo ${'$(('.repeat(2_000)}1${'))'.repeat(2_000)}`],
    ['backticks', '`'.repeat(5_001)],
    ['braces', '{ '.repeat(5_000)],
    ['quotes', `echo ${'"$(echo '.repeat(1_500)}`],
    ['evaluations', `eval ${'"$(eval '.repeat(1_500)}`],
    ['evaluations that are closed', `${'eval "$('.repeat(300)}ls${')"'.repeat(300)}`],
    ['expansions', `echo ${'${x:-'.repeat(2_500)}`],
  ])('ends the work early: %s', (_what, line) => {
    const start = process.hrtime.bigint();
    expect(classify(line).tier).toBe(3);
    expect(Number(process.hrtime.bigint() - start) / 1e6).toBeLessThan(2_000);
  });
});
