import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  SHELL_CLASSES,
  TOOL_EFFECTS,
  TOOL_LEVELS,
  TOOL_RISKS,
  TOOL_SCOPES,
  TOOL_SURFACES,
  type Decision,
  decisionSchema,
} from '#lib/formats';
import {
  POLICY_INPUTS,
  SESSION_LEVELS,
  SESSION_MODES,
  type SessionFacts,
  type ToolCallInput,
} from '#lib/policy-inputs';
import { packageRoot } from '#lib/database';
import { loadPolicyEngine } from '#lib/policy';
import { level } from '#lib/tool';

const policies = join(packageRoot(), 'policies');
const engine = loadPolicyEngine();
const decide = (input: ToolCallInput): Decision => engine.evaluate('tool_call', input).decision;

const fixtureSchema = z.object({
  name: z.string(),
  cell: z.strictObject({ preset: z.string().nullable(), setting: z.string().nullable(), of: z.string() }),
  /** The documents that the presets come from, and their sentences word for word. */
  says: z
    .array(
      z.strictObject({
        source: z.enum([
          'ADR-003: Automation-Safe Tools',
          'ADR-007: Three-Tier Shell Command Safety Classification',
          'Tool Approval',
          'Tool Execution & Safety',
        ]),
        says: z.string().min(10),
      }),
    )
    .min(1),
  input: POLICY_INPUTS.tool_call,
  expect: z.object({ outcome: decisionSchema.shape.outcome, confirm_word: z.string().optional() }),
});
const file = JSON.parse(readFileSync(join(policies, 'fixtures', 'session_presets.json'), 'utf8')) as {
  session_presets: unknown[];
};
const fixtures = file.session_presets.map((fixture) => fixtureSchema.parse(fixture));

/** The categories of an editor's skills, with the surface and effect of a tool in each. */
const CATEGORIES: Readonly<Record<string, string>> = {
  read: 'workspace read',
  'workspace-write': 'workspace modify',
  'git-read': 'git read',
  'git-write': 'git modify',
  'terminal-read': 'terminal read',
  'terminal-write': 'terminal modify',
  network: 'network read',
  'audio-input': 'audio read',
  'audio-output': 'audio modify',
};

const COMMANDS = [
  'Tier 1 READ_ONLY',
  ...SHELL_CLASSES.filter((name) => name !== 'ESCALATION').map((name) => `Tier 2 ${name}`),
  'Tier 3 DESTRUCTIVE',
  'Tier 3 ESCALATION',
];

/** The kinds of calls that each preset tells apart, besides command lines. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  tiers: Object.keys(CATEGORIES),
  levels: TOOL_LEVELS,
  modes: Object.keys(CATEGORIES),
  cautious: TOOL_EFFECTS,
  null: TOOL_LEVELS,
};

const SETTINGS: Readonly<Record<string, readonly (string | null)[]>> = {
  tiers: [null],
  levels: SESSION_LEVELS,
  modes: SESSION_MODES,
  cautious: [null],
  null: SESSION_LEVELS,
};

const cells = Object.keys(SETTINGS).flatMap((preset) =>
  (SETTINGS[preset] ?? []).flatMap((setting) =>
    [...(TOOLS[preset] ?? []), ...COMMANDS].map((of) => `${preset}, ${String(setting)}, ${of}`),
  ),
);

/** The cell that an input is of, read from its facts. */
function cellOf({ tool, shell, session }: ToolCallInput): string {
  const preset = String(session?.preset);
  const setting = preset === 'modes' ? session?.mode : preset === 'levels' || preset === 'null' ? session?.level : null;
  const category = Object.keys(CATEGORIES).find((name) => CATEGORIES[name] === `${tool.surface} ${tool.effect}`);
  const ofTool = preset === 'cautious' ? tool.effect : TOOLS[preset] === TOOL_LEVELS ? level(tool) : category;
  const of = shell === null ? ofTool : `Tier ${String(shell.tier)} ${shell.class}`;
  return `${preset}, ${String(setting)}, ${String(of)}`;
}

describe('the presets of sessions', () => {
  it('have a fixture for every cell, once', () => {
    expect(fixtures.map(({ input }) => cellOf(input)).sort()).toEqual([...cells].sort());
    for (const { cell, input } of fixtures) {
      expect(`${String(cell.preset)}, ${String(cell.setting)}, ${cell.of}`).toBe(cellOf(input));
    }
  });

  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (_name, { input, expect: wanted }) => {
    const { outcome, obligations } = decide(input);
    expect(outcome).toBe(wanted.outcome);
    if (outcome !== 'deny') expect(obligations.confirm_word).toBe(wanted.confirm_word);
  });

  // The level CAUTIOUS, by the risk of a command.
  it.each([
    ['Tier 1 READ_ONLY', 'allow'],
    ['Tier 2 BUILD_TEST', 'allow'],
    ['Tier 2 WRITE', 'require_approval'],
    ['Tier 2 DESTRUCTIVE', 'require_approval'],
    ['Tier 2 NETWORK', 'require_approval'],
    ['Tier 3 ESCALATION', 'deny'],
    ['Tier 2 UNKNOWN', 'require_approval'],
  ] as const)('ask about a risk as the table of risks says: %s, %s', (of, outcome) => {
    const found = fixtures.find(({ input }) => cellOf(input) === `levels, CAUTIOUS, ${of}`);
    expect(found === undefined ? null : decide(found.input).outcome).toBe(outcome);
  });

  it('derive the level of a tool as the registry does', () => {
    const session: SessionFacts = { preset: 'levels', level: 'MANUAL', mode: 'always-ask', trusted: false };
    const template = fixtures[0]?.input;
    if (template === undefined) throw new Error('there is no fixture');
    // A session never asks about a production change, so its level is never said.
    const tools = TOOL_RISKS.filter((risk) => risk !== 'state_change_prod').flatMap((risk) =>
      TOOL_EFFECTS.flatMap((effect) =>
        TOOL_SURFACES.flatMap((surface) =>
          TOOL_SCOPES.map((scope) => ({ ...template.tool, risk, effect, surface, scope })),
        ),
      ),
    );
    const said = tools.map(
      (tool) => decide({ ...template, tool, shell: null, paths: null, session }).reasons[0]?.message,
    );
    expect(said).toEqual(tools.map((tool) => `At level MANUAL, the session asks about calls of ${level(tool)} risk`));
  });
});
