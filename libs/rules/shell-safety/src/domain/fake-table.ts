import { joinTable, type CommandTable } from './command-table.js';
import { BUILTIN_PROGRAMS } from './table/builtins.js';
import { WRAPPER_PROGRAMS } from './table/wrappers.js';

/** A small table. Each row shows one way of stating the effect of a program. */
export const FAKE_TABLE: CommandTable = joinTable([
  BUILTIN_PROGRAMS,
  WRAPPER_PROGRAMS,
  [
    { names: ['ls'], class: 'READ_ONLY', does: 'lists files', operands: 'reads', options: { plain: '-l -a --all' } },
    { names: ['cat'], class: 'READ_ONLY', does: 'reads files', operands: 'reads', options: { plain: '-n' } },
    {
      names: ['head'],
      class: 'READ_ONLY',
      does: 'reads the start of files',
      operands: 'reads',
      options: { plain: '-z', value: '-n' },
    },
    {
      names: ['grep'],
      class: 'READ_ONLY',
      does: 'searches text',
      operands: 'pattern_then_reads',
      options: { plain: '-i -v -l -z -Z', value: '-e -A', recurses: '-r' },
    },
    {
      names: ['sort'],
      class: 'READ_ONLY',
      does: 'sorts lines',
      operands: 'reads',
      options: {
        plain: '-r -n -z --reverse --compact',
        value: '-k --key',
        writesTo: '-o --output',
        executes: '--compress-program',
      },
    },
    {
      names: ['find'],
      class: 'READ_ONLY',
      does: 'searches for files',
      style: 'single_dash',
      operands: 'reads',
      options: {
        plain: '-print -print0',
        value: '-name -type',
        destroys: '-delete',
        writesTo: '-fprint',
        executesWords: '-exec -execdir',
      },
    },
    {
      names: ['sed'],
      class: 'READ_ONLY',
      does: 'filters text',
      operands: 'pattern_then_reads',
      inspect: 'sed',
      options: { plain: '-n', value: '-e', writes: '-i --in-place' },
    },
    {
      names: ['awk'],
      class: 'READ_ONLY',
      does: 'filters text',
      operands: 'pattern_then_reads',
      inspect: 'awk',
      options: { value: '-F -v' },
    },
    { names: ['tee'], class: 'WRITE', does: 'writes its input to files', operands: 'writes' },
    { names: ['touch'], class: 'WRITE', does: 'creates files', operands: 'writes' },
    {
      names: ['rm'],
      class: 'DESTRUCTIVE',
      does: 'deletes files',
      operands: 'writes',
      options: { plain: '-f -i', denied: '-r -R --recursive' },
    },
    { names: ['sudo'], class: 'ESCALATION', does: 'acts with other rights', style: 'none' },
    { names: ['shutdown'], class: 'DESTRUCTIVE', tier: 3, does: 'stops the machine', operands: 'any' },
    { names: ['curl'], class: 'NETWORK', does: 'sends a request', operands: 'any', options: { plain: '-s' } },
    { names: ['make'], class: 'BUILD_TEST', does: 'builds', operands: 'any', options: { plain: '-s', informs: '-v' } },
    {
      names: ['dd'],
      class: 'WRITE',
      does: 'copies',
      style: 'assignments',
      options: { value: 'bs', reads: 'if', writesTo: 'of' },
    },
    {
      names: ['kubectl'],
      class: 'UNKNOWN',
      does: 'works on a cluster',
      network: true,
      options: { value: '-n --namespace', networkTo: '--server' },
      subcommands: {
        get: { class: 'READ_ONLY', does: 'shows resources', operands: 'any', options: { value: '-o' } },
        delete: { class: 'DESTRUCTIVE', does: 'deletes resources', operands: 'any' },
        'rollout status': { class: 'READ_ONLY', does: 'shows a rollout', operands: 'any' },
      },
    },
  ],
]);
