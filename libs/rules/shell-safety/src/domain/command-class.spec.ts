import { CLASS_LEVEL } from './class-level.js';
import { classifyCommand } from './classify-command.js';
import { SHELL_CLASSES } from '#lib/formats';

/** The examples of the ToolRisk table, and the sentences about it. */
describe('the class of a command', () => {
  it.each([
    ['READ_ONLY', 'git status'],
    ['READ_ONLY', 'git log'],
    ['READ_ONLY', 'git diff'],
    ['BUILD_TEST', 'mvn test'],
    ['BUILD_TEST', 'npm run build'],
    ['WRITE', 'touch file'],
    ['DESTRUCTIVE', 'git reset --hard'],
    ['DESTRUCTIVE', 'git push --force'],
    ['DESTRUCTIVE', 'rm -rf x'],
    ['NETWORK', 'curl https://example.org'],
    ['NETWORK', 'wget https://example.org'],
    ['ESCALATION', 'sudo ls'],
    ['ESCALATION', 'su'],
    ['ESCALATION', 'doas ls'],
    ['UNKNOWN', 'frobnicate'],
  ] as const)('%s: %s', (shellClass, line) => {
    expect(classifyCommand(line).class).toBe(shellClass);
  });

  it('ESCALATION is always rejected: it is Tier 3', () => {
    expect(classifyCommand('sudo ls').tier).toBe(3);
    expect(classifyCommand('ls | env nice sudo -u x ls')).toMatchObject({ tier: 3, class: 'ESCALATION' });
  });

  it('of a line is the worst of its commands, in the order of the table', () => {
    const lines = ['ls', 'npm test', 'touch x', 'curl x', 'frobnicate', 'git reset --hard', 'sudo ls'];
    lines.forEach((line, index) => {
      expect(classifyCommand(line).class).toBe(SHELL_CLASSES[index]);
      expect(
        classifyCommand(
          `${lines
            .slice(0, index + 1)
            .reverse()
            .join('; ')}; ls`,
        ).class,
      ).toBe(SHELL_CLASSES[index]);
    });
  });

  it.each([
    ['READ_ONLY', 'low'],
    ['BUILD_TEST', 'low'],
    ['WRITE', 'medium'],
    ['DESTRUCTIVE', 'high'],
    ['NETWORK', 'medium'],
    ['ESCALATION', 'critical'],
    ['UNKNOWN', 'high'],
  ] as const)('%s has the label %s', (shellClass, label) => {
    expect(CLASS_LEVEL[shellClass]).toBe(label);
  });
});
