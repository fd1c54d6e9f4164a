import { executableTree } from '#lib/shell-safety';
import { holdsSubstitution } from './holds-substitution.js';

const holds = (line: string): boolean => {
  const tree = executableTree(line, 'bash');
  if (!tree.ok) throw new Error(tree.error.message);
  return holdsSubstitution(tree.value);
};

describe('a command substitution', () => {
  it.each([
    'echo $(pwd)',
    'echo "in `pwd`"',
    'true && ls | wc -l "$(pwd)"',
    'cat < "$(pwd)/a"',
    'cat > a$(pwd)',
    'cat <<< "$(pwd)"',
    'cat <<end\n$(pwd)\nend',
  ])('is found in %j', (line) => {
    expect(holds(line)).toBe(true);
  });

  it.each([
    'ls -l',
    "echo '$(pwd)'",
    `echo '"type":"substitution"'`,
    'echo "$HOME" *.txt 2>&1',
    "cat <<'end'\n$(pwd)\nend",
  ])('is not seen in %j', (line) => {
    expect(holds(line)).toBe(false);
  });
});
