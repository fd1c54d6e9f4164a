import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import type { FieldError } from '#lib/kernel';
import { readDocument } from './read-document.js';
import { timesInputs } from '../../../../../test/arbitraries/times-inputs.js';
import { cpuMs } from '../../../../../test/support/cpu-time.js';

const errorsOf = (source: string): readonly FieldError[] => {
  const read = readDocument(source);
  return read.ok ? [] : read.error;
};

const ADR_EXAMPLE = `# Organization settings
autonomy:
  mode: full_auto

  # Per-environment overrides
  environments:
    production:
      mode: plan_only  # Never auto-execute in prod
      allowed_approvers: [PlatformAdmin, SRELead]
      require_two_approvers: true  # For critical risk

    staging:
      mode: canary_only
      allowed_approvers: [PlatformAdmin, SRELead, DevOpsEngineer]

    development:
      mode: full_auto  # Auto-execute approved plans
      allowed_approvers: [any]

  # Tool-specific overrides
  tool_overrides:
    trigger_dr_failover:
      mode: plan_only  # Always block, even in full_auto
      require_two_approvers: true
`;

describe('an autonomy document', () => {
  it("is ADR-009's example, keys verbatim", () => {
    const read = readDocument(ADR_EXAMPLE);
    expect(read).toMatchObject({
      ok: true,
      value: {
        document: {
          autonomy: {
            mode: 'full_auto',
            environments: { production: { mode: 'plan_only', require_two_approvers: true } },
          },
        },
      },
    });
    expect(read.ok && read.value.yaml.values.get('/autonomy/environments/production/mode')).toEqual({
      line: 8,
      column: 13,
    });
    expect(read.ok && read.value.yaml.keys.get('/autonomy/tool_overrides/trigger_dr_failover')).toEqual({
      line: 22,
      column: 5,
    });
  });

  it("of the demo tenant is accepted, with ADR-009's break-glass block", () => {
    expect(readDocument(readFileSync('catalog/autonomy.yaml', 'utf8'))).toMatchObject({
      ok: true,
      value: { document: { emergency_override: { enabled: false, allowed_roles: ['PlatformAdmin'] } } },
    });
  });

  it('may say everything the policies know', () => {
    const source = `
autonomy:
  mode: canary_only
  quorum: [{ count: 1, roles: [SRELead] }, { count: 1, roles: [SecurityReviewer] }]
  require_mfa: true
  require_approval: true
  max_batch_percent: 10
  simulation_valid_minutes: 30
  approval_valid_minutes: 60
  environments:
    production: { quorum: [{ count: 2, roles: [any] }], simulation_valid_minutes: 5, approval_valid_minutes: 5 }
  tool_overrides:
    modify_firewall: { require_mfa: true, max_batch_percent: 1, quorum: [{ count: 1, roles: [SecurityReviewer] }], allowed_approvers: [SRELead] }
`;
    expect(readDocument(source).ok).toBe(true);
  });

  const base = 'autonomy:\n  mode: plan_only\n';
  it.each<[string, string, string, number, number, string | undefined]>([
    [
      'a misspelt key',
      'autonomy:\n  mode: plan_only\n  enviroments: {}\n',
      'autonomy.unknown_key',
      3,
      3,
      'environments',
    ],
    [
      'a key that belongs elsewhere',
      `${base}  emergency_override: { enabled: true }\n`,
      'autonomy.unknown_key',
      3,
      3,
      'emergency_override',
    ],
    [
      'a lifetime of a tool',
      `${base}  tool_overrides:\n    a:\n      approval_valid_minutes: 5\n`,
      'autonomy.unknown_key',
      5,
      7,
      'autonomy.approval_valid_minutes',
    ],
    ['a misspelt mode', 'autonomy:\n  mode: full-auto\n', 'autonomy.wrong_value', 2, 9, 'full_auto'],
    ['no mode', 'autonomy:\n  environments: {}\n', 'autonomy.missing_key', 2, 3, undefined],
    ['no autonomy', 'emergency_override: { enabled: false }\n', 'autonomy.missing_key', 1, 1, undefined],
    ['nothing', '', 'autonomy.wrong_type', 1, 1, undefined],
    ['a word for a boolean', `${base}  require_mfa: yes\n`, 'autonomy.wrong_type', 3, 16, 'true'],
    ['a word for a list', `${base}  allowed_approvers: SRELead\n`, 'autonomy.wrong_type', 3, 22, '[SRELead]'],
    ['a text for a boolean', `${base}  require_mfa: "True"\n`, 'autonomy.wrong_type', 3, 16, 'true'],
    ['a text for a number', `${base}  max_batch_percent: "20"\n`, 'autonomy.wrong_type', 3, 22, '20'],
    ['a part of a percent', `${base}  max_batch_percent: 2.5\n`, 'autonomy.wrong_type', 3, 22, undefined],
    ['more than all of it', `${base}  max_batch_percent: 120\n`, 'autonomy.out_of_range', 3, 22, undefined],
    [
      'an impossible environment',
      `${base}  environments:\n    Prod Uction: { mode: plan_only }\n`,
      'autonomy.wrong_name',
      4,
      5,
      undefined,
    ],
  ])('with %s is refused where it stands', (_, source, code, line, column, suggestion) => {
    expect(errorsOf(source)[0]).toMatchObject(
      suggestion === undefined ? { code, line, column } : { code, line, column, suggestion },
    );
  });

  it.each([
    ['max_batch_percent: 0', 'max_batch_percent is at least 1.'],
    ['approval_valid_minutes: 100000', 'approval_valid_minutes is at most 10080.'],
    ['quorum: [SRELead]', 'An entry of quorum is a block of keys, and this is the word "SRELead".'],
  ])('says of %s what is possible', (line, message) => {
    expect(errorsOf(`${base}  ${line}\n`)).toMatchObject([{ message }]);
  });

  it.each<[string, string, number, number]>([
    ['an empty approver list', `${base}  environments:\n    production:\n      allowed_approvers: []\n`, 5, 26],
    ['an empty quorum', `${base}  quorum: []\n`, 3, 11],
    ['a count of zero', `${base}  quorum:\n    - { count: 0, roles: [any] }\n`, 4, 16],
    ['a count below zero', `${base}  quorum:\n    - { count: -1, roles: [any] }\n`, 4, 16],
    ['a slot without roles', `${base}  quorum:\n    - { count: 1, roles: [] }\n`, 4, 26],
    [
      'break-glass without a second factor',
      `${base}emergency_override:\n  enabled: true\n  requires_mfa: false\n`,
      5,
      17,
    ],
    [
      'break-glass without a justification',
      `${base}emergency_override:\n  enabled: true\n  requires_justification: false\n`,
      5,
      27,
    ],
    [
      'break-glass without an incident',
      `${base}emergency_override:\n  enabled: true\n  auto_creates_incident: false\n`,
      5,
      26,
    ],
    [
      'break-glass that is hardly audited',
      `${base}emergency_override:\n  enabled: true\n  audit_level: basic\n`,
      5,
      16,
    ],
    ['break-glass for an empty list', `${base}emergency_override:\n  enabled: true\n  allowed_roles: []\n`, 5, 18],
  ])('that would open the gate with %s is refused with its line', (_, source, line, column) => {
    expect(errorsOf(source)).toEqual([expect.objectContaining({ code: 'autonomy.opens_the_gate', line, column })]);
  });
});

describe('text that is not YAML', () => {
  it.each<[string, string, [number, number], RegExp]>([
    ['a key without a colon', 'autonomy\n  mode: plan_only\n', [1, 1], /^A key ends with a colon on its own line/],
    ['another indentation', 'autonomy:\n mode: plan_only\n  quorum: []\n', [2, 8], /same indentation/],
    ['a second colon', 'autonomy: mode: plan_only\n', [1, 11], /put a text with a colon in quotes/],
    ['an open bracket', `autonomy:\n  mode: plan_only\n  allowed_approvers: [SRELead\n`, [4, 1], /Close each bracket/],
    [
      'an open quote',
      `autonomy:\n  mode: plan_only\n  allowed_approvers: "SRELead\n`,
      [4, 1],
      /^A character is missing: a closing quote/,
    ],
    [
      'a bracket too many',
      `autonomy:\n  mode: plan_only\n  allowed_approvers: [SRELead]]\n`,
      [3, 31],
      /^This cannot stand here/,
    ],
    ['a sign for later', 'autonomy:\n  mode: @plan\n', [2, 9], /put the value in quotes/],
    [
      'an unknown escape',
      `autonomy:\n  mode: plan_only\n  allowed_approvers: ["SRE\\Qead"]\n`,
      [3, 27],
      /single quotes/,
    ],
    ['a list as a key', `autonomy:\n  mode: plan_only\n  ? [a]\n  : b\n`, [3, 5], /^A key is a word/],
  ])('%s is told at its place, once, and in plain words', (_what, source, position, words) => {
    const read = readDocument(source);
    const errors = read.ok ? [] : read.error;
    expect(errors.map(({ code, line, column }) => [code, line, column])).toEqual([['yaml.syntax', ...position]]);
    expect(errors[0]?.message).toMatch(words);
  });
});

describe('T26: YAML made to hurt', () => {
  const lines = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');
  const attacks: readonly (readonly [string, string, string])[] = [
    [
      'an alias bomb',
      `a: &a [x, x, x]\n${lines(20, (index) => `b${String(index)}: &b${String(index)} [*a, *a, *a, *a]`)}`,
      'yaml.anchor',
    ],
    ['an alias', 'autonomy: *mode\n', 'yaml.alias'],
    ['a duplicate key', 'autonomy:\n  mode: plan_only\n  mode: full_auto\n', 'yaml.duplicate_key'],
    ['__proto__', 'autonomy:\n  mode: plan_only\n  __proto__: { mode: full_auto }\n', 'yaml.reserved_key'],
    [
      '__proto__ for an environment',
      'autonomy:\n  mode: plan_only\n  environments:\n    __proto__: { mode: full_auto }\n',
      'yaml.reserved_key',
    ],
    ['constructor for the whole', 'constructor: { prototype: { mode: full_auto } }\n', 'autonomy.'],
    ['10,000 brackets', `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'yaml.too_deep'],
    ['10,000 braces', '{a: '.repeat(10_000) + '}'.repeat(10_000), 'yaml.too_deep'],
    ['10,000 dashes', `${'- '.repeat(10_000)}a`, 'yaml.too_deep'],
    ['10,000 question marks', `${'? '.repeat(10_000)}a`, 'yaml.too_deep'],
    ['350 indentations', lines(350, (index) => `${' '.repeat(index)}a:`), 'yaml.too_deep'],
    ['wrong types', 'autonomy: [1, 2]\n', 'autonomy.wrong_type'],
    ['an unknown key', 'autonomy:\n  mode: plan_only\n  backdoor: true\n', 'autonomy.unknown_key'],
    ['a control character', 'autonomy:\n  mode: plan_only\u0007\n', 'yaml.control_character'],
    ['a tab', 'autonomy:\n\tmode: plan_only\n', 'yaml.tab'],
    ['60,000 tabs', `autonomy:\n${'\t'.repeat(60_000)}mode: plan_only\n`, 'yaml.tab'],
    ['a merge key', 'autonomy:\n  mode: plan_only\n  <<: { mode: full_auto }\n', 'autonomy.unknown_key'],
    ['a tag', 'autonomy: !!js/function "x"\n', 'yaml.tag'],
    ['a directive', '%YAML 1.1\n---\nautonomy: 1\n', 'yaml.directive'],
    ['two documents', 'autonomy:\n  mode: plan_only\n---\nautonomy:\n  mode: full_auto\n', 'yaml.several_documents'],
    ['16,000 documents', '---\n'.repeat(16_000), 'yaml.several_documents'],
    ['30,000 quotes', '"'.repeat(60_001), 'yaml.too_long'],
    ['60,000 closing brackets', ']'.repeat(60_000), 'yaml.too_long'],
    ['60,000 commas', `[${','.repeat(60_000)}]`, 'yaml.too_long'],
    ['8,000 keys', lines(8_000, (index) => `k${String(index)}: 1`), 'yaml.too_long'],
    ['a number without end', 'autonomy:\n  mode: plan_only\n  max_batch_percent: .inf\n', 'yaml.unsupported_value'],
    ['a key that is a list', '[a]: b\n', 'yaml.'],
    [
      '600 environments that are wrong',
      `autonomy:\n  mode: plan_only\n  environments:\n${lines(600, (index) => `    e${String(index)}: 1`)}`,
      'autonomy.wrong_type',
    ],
    [
      '600 keys that are not known',
      `autonomy:\n  mode: plan_only\n${lines(600, (index) => `  e${String(index)}: 1`)}`,
      'autonomy.unknown_key',
    ],
    ['one long word', `autonomy: ${'x'.repeat(64_000)}`, 'autonomy.wrong_type'],
  ];

  // The first call compiles the function; the test measures parsing alone.
  beforeAll(() => {
    for (const [, source] of attacks) errorsOf(source.slice(0, 2_000));
  });

  it.each(attacks)('%s is refused within 100 ms, with line and column', (_, source, code) => {
    const errors = errorsOf(source);
    // The best of three.
    const took = Math.min(...[1, 2, 3].map(() => cpuMs(() => errorsOf(source))));
    expect(errors[0]?.code).toContain(code);
    expect(errors.length).toBeLessThanOrEqual(20);
    for (const error of errors) {
      expect(error.line).toBeGreaterThanOrEqual(1);
      expect(error.column).toBeGreaterThanOrEqual(1);
      expect(error.message.length).toBeLessThan(1_000);
    }
    expect(took).toBeLessThan(100);
    expect(Object.prototype).not.toHaveProperty('mode');
  });

  it('any text gives a document, or errors with a position', () => {
    const piece = fc.constantFrom(
      'autonomy:',
      ' mode: plan_only',
      '\n',
      ' ',
      '  ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      ',',
      '"',
      "'",
      '|',
      '>',
      '#',
      '\t',
      '?',
      ':',
      '&a',
      '*a',
      '!!map',
      '\u0000',
      '\ud800',
      '\ufeff',
      '---',
      '...',
      'environments:',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const read = readDocument(pieces.join(''));
        if (read.ok) expect(read.value.document.autonomy.mode).toBe('plan_only');
        else expect(read.error.every(({ line, column }) => Number(line) >= 1 && Number(column) >= 1)).toBe(true);
      }),
      { numRuns: timesInputs(500) },
    );
  });
});
