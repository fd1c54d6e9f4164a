import { classifyBy, classifyCommand } from './classify-command.js';
import { joinTable } from './command-table.js';

const codesOf = (line: string): readonly string[] =>
  classifyCommand(line, 'bash').parts.flatMap(({ reasons }) => reasons.map(({ code }) => code));

describe('a reason of a verdict', () => {
  it.each([
    ['shell.changes_network', 'ip addr add 10.0.0.1/8 dev eth0', 'ip addr show'],
    ['shell.changes_network', 'ip xfrm state', 'ip monitor address'],
    ['shell.changes_partitions', 'parted /dev/sda rm 1', 'parted /dev/sda print'],
    ['shell.changes_partitions', 'sgdisk -o /dev/sda', 'sgdisk -p /dev/sda'],
    ['shell.reads_commands', 'parted /dev/sda', 'parted -l'],
    ['shell.changes_reading', 'set -o posix', 'set -o pipefail'],
    ['shell.changes_service', 'service web restart', 'service web status'],
    ['shell.changes_settings', 'git config user.name ada', 'git config --get user.name'],
    ['shell.evaluates_unknown_text', 'x=$(date); (( x ))', 'x=1; (( x ))'],
    ['shell.executes_file', 'brew info ./formula.rb', 'brew info wget'],
    ['shell.executes_file', 'bash script.sh', "bash -c 'ls'"],
    ['shell.fork_bomb', 'f() { f | f & }; f', 'f() { ls | wc & }; f'],
    ['shell.hidden_options', 'nm @file', 'nm file'],
    ['shell.looks_up_name', 'ss dst example.com', 'ss dst 10.0.0.1'],
    ['shell.looks_up_name', 'lsof -i @example.com', 'lsof -i @10.0.0.1'],
    ['shell.makes_alias', "alias ll='ls -l'", 'alias ll'],
    ['shell.makes_reference', 'declare -n a=b', 'declare a=b'],
    ['shell.names_host', 'gh repo view example.com/owner/name', 'gh repo view owner/name'],
    ['shell.names_host', 'npm view owner/name', 'npm view name'],
    ['shell.option_executes_hidden', 'git log --pretty=%G?', 'git log --pretty=%h'],
    ['shell.overwrites_device', 'dd if=a of=/dev/sda', 'dd if=a of=/dev/null'],
    ['shell.program_executes', "sed 's/a/b/e' file", "sed 's/a/b/' file"],
    ['shell.program_writes', "sed 'w other' file", "sed 'w /dev/stdout' file"],
    ['shell.unreadable_program', 'sed "$program" file', "sed 's/a/b/' file"],
    ['shell.sends_file', 'aws s3 ls file://a', 'aws s3 ls'],
    ['shell.stops_host', 'systemctl start poweroff.target', 'systemctl start web.service'],
    ['shell.unknown_path', 'pvesh get /access/ticket', 'pvesh get /version'],
    ['shell.without_reading_option', 'crontab file', 'crontab -l'],
    ['shell.writes_by_operand', 'uniq a b', 'uniq a'],
    ['shell.writes_by_operand', 'git branch new', 'git branch --list new'],
    ['shell.writes_by_option', 'rpm -i file', 'rpm -q name'],
    ['shell.writes_in_place', 'terraform fmt', 'terraform fmt -check'],
    ['shell.writes_tree', 'git checkout main', 'git checkout -b main'],
  ])('is %s for `%s`, and not for `%s`', (code, line, other) => {
    expect(codesOf(line)).toContain(code);
    expect(codesOf(other)).not.toContain(code);
  });

  it('is shell.unknown_inspection if the row of a program names an inspection that is missing', () => {
    const table = joinTable([[{ names: ['look'], class: 'READ_ONLY', does: 'looks', inspect: 'missing' }]]);
    const { tier, parts } = classifyBy(table, 'look', 'bash');
    expect(tier).toBe(2);
    expect(parts.flatMap(({ reasons }) => reasons)).toContainEqual(
      expect.objectContaining({ code: 'shell.unknown_inspection' }),
    );
  });

  it('is shell.unreadable, of Tier 3, if the reading of the line fails', () => {
    const table = joinTable([]);
    jest.spyOn(table, 'get').mockImplementation(() => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    const { tier, parts } = classifyBy(table, 'ls', 'bash');
    expect(tier).toBe(3);
    expect(parts.flatMap(({ reasons }) => reasons)).toContainEqual(
      expect.objectContaining({ code: 'shell.unreadable' }),
    );
  });
});
