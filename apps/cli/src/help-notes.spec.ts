import { Command, Option } from 'commander';
import { HELP_NOTES } from './help-notes.js';

/** The description of an option in the help of a command. */
const described = (add: (command: Command) => Command): string => {
  const command = add(new Command('it').configureHelp(HELP_NOTES));
  return /^ +--name <name> +(.*)$/m.exec(command.helpInformation())?.[1] ?? '';
};

describe('an option in the help', () => {
  it.each<[string, (command: Command) => Command]>([
    ['its name (required)', (it) => it.requiredOption('--name <name>', 'its name')],
    ['its name', (it) => it.option('--name <name>', 'its name')],
    ['its name (default: ada)', (it) => it.requiredOption('--name <name>', 'its name', 'ada')],
    [
      'its name (default: ada,ben)',
      (it) => it.addOption(new Option('--name <name>', 'its name').default(['ada', 'ben'])),
    ],
    ['its name', (it) => it.addOption(new Option('--name <name>', 'its name').default([]))],
    [
      'its name (one of ada, ben; default: ben)',
      (it) => it.addOption(new Option('--name <name>', 'its name').choices(['ada', 'ben']).default('ben')),
    ],
  ])('reads: %s', (text, add) => {
    expect(described(add)).toBe(text);
  });
});
