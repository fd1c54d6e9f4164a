import { RE2JS } from 're2js';
import { ownMember } from '#lib/canonical';
import { ToolRefusal } from './tool-refusal.js';

export const MAX_PATTERN_CHARACTERS = 256;
const MAX_PROGRAM_SIZE = 1_100;

/**
 * A pattern in RE2's syntax: any pattern takes a time linear in the text.
 *
 * @returns the offset of the first match in a line, or -1
 * @throws {ToolRefusal} `workspace.invalid_pattern`
 */
export function compileLinePattern(pattern: string, ignoreCase: boolean): (line: string) => number {
  const compiled = compile(pattern, ignoreCase);
  if (compiled.programSize() > MAX_PROGRAM_SIZE) throw invalid(pattern, 'it repeats too much');
  return (line) => {
    const matcher = compiled.matcher(line);
    return matcher.find() ? matcher.start() : -1;
  };
}

function compile(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (problem) {
    throw invalid(pattern, problem instanceof Error ? problem.message : 'it cannot be read');
  }
}

const invalid = (pattern: string, reason: string): ToolRefusal =>
  new ToolRefusal(
    'workspace.invalid_pattern',
    `${JSON.stringify(pattern)} is no pattern in RE2's syntax: ${reason}. Look-around and back-references do not exist there.`,
  );

/**
 * A pattern of paths: `*` for any text in a name, `**` for any folders, `?` for one character. Without a `/` it matches the last
 * name alone.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const parts = glob.split(/(\*\*\/|\*\*|\*|\?)/).map((part) => ownMember(GLOB_PARTS, part) ?? RE2JS.quote(part));
  const compiled = RE2JS.compile(`^${glob.includes('/') ? '' : '(?:.*/)?'}${parts.join('')}$`, RE2JS.DOTALL);
  return (path) => compiled.test(path);
}

const GLOB_PARTS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
