import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const { imports: packageImports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  imports: Readonly<Record<string, unknown>>;
};

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

/** Lays out a tree of files, and returns the violations that dependency-cruiser finds with the house's own rules. */
function violationsIn(files: Readonly<Record<string, string>>): Violation[] {
  const tree = mkdtempSync(join(tmpdir(), 'countersign-import-rules-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    writeFileSync(join(tree, 'tsconfig.json'), '{ "compilerOptions": { "module": "nodenext", "target": "es2023" } }');
    writeFileSync(
      join(tree, 'package.json'),
      JSON.stringify({ name: 'tree', type: 'module', imports: packageImports }),
    );
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
        ...['--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', 'libs', 'apps'],
      ],
      { cwd: tree, encoding: 'utf8' },
    );
    if (stdout === '') throw new Error(`dependency-cruiser did not answer: ${stderr}`);
    return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

const nothing = 'export const nothing = 0;\n';
const imports = (specifier: string): string => `import * as other from '${specifier}';\nexport const seen = other;\n`;
const importsType = (specifier: string): string =>
  `import type * as other from '${specifier}';\nexport type Seen = typeof other;\n`;

/** Each row breaks one rule: the rule, the importing file, its import, and the imported file. */
const broken: readonly (readonly [rule: string, from: string, specifier: string, to: string])[] = [
  ['domain-is-pure', 'libs/stages/plan/src/domain/a.ts', '../adapters/b.js', 'libs/stages/plan/src/adapters/b.ts'],
  ['domain-is-pure', 'libs/stages/plan/src/domain/c.ts', 'node:fs', ''],
  [
    'application-knows-no-adapter',
    'libs/stages/plan/src/application/a.ts',
    '../adapters/b.js',
    'libs/stages/plan/src/adapters/b.ts',
  ],
  [
    'libraries-meet-at-index',
    'libs/stages/plan/src/domain/d.ts',
    '../../../../registry/tool/src/domain/x.js',
    'libs/registry/tool/src/domain/x.ts',
  ],
  [
    'tests-meet-at-index-or-fakes',
    'libs/stages/plan/src/domain/e.spec.ts',
    '../../../../registry/tool/src/domain/x.js',
    'libs/registry/tool/src/domain/x.ts',
  ],
  [
    'fakes-are-for-tests',
    'libs/stages/plan/src/application/c.ts',
    './fake-port.js',
    'libs/stages/plan/src/application/fake-port.ts',
  ],
  [
    'fakes-are-for-tests',
    'apps/web/src/c.ts',
    '../../../libs/stages/plan/src/application/fake-port.js',
    'libs/stages/plan/src/application/fake-port.ts',
  ],
  [
    'apps-use-index',
    'apps/api/src/a.ts',
    '../../../libs/registry/tool/src/domain/x.js',
    'libs/registry/tool/src/domain/x.ts',
  ],
  ['libraries-know-no-framework', 'libs/registry/tool/src/a.ts', '@nestjs/common', ''],
  [
    'only-the-installation-wires',
    'libs/registry/tool/src/b.ts',
    '#lib/installation',
    'libs/assembly/installation/src/index.ts',
  ],
  ['group-order-foundation', 'libs/foundation/database/src/a.ts', '#lib/task', 'libs/stages/task/src/index.ts'],
  ['group-order-registry', 'libs/registry/tool/src/c.ts', '#lib/identity', 'libs/people/identity/src/index.ts'],
  ['group-order-people', 'libs/people/identity/src/a.ts', '#lib/autonomy', 'libs/rules/autonomy/src/index.ts'],
  ['group-order-rules', 'libs/rules/policy/src/a.ts', '#lib/plan', 'libs/stages/plan/src/index.ts'],
  ['group-order-stages', 'libs/stages/run/src/application/a.ts', '#lib/audit', 'libs/evidence/audit/src/index.ts'],
  ['group-order-reach', 'libs/reach/delivery/src/a.ts', '#lib/audit', 'libs/evidence/audit/src/index.ts'],
  ['group-order-evidence', 'libs/evidence/audit/src/a.ts', '#lib/sdk', 'libs/clients/sdk/src/index.ts'],
  ['group-order-clients', 'libs/clients/sdk/src/b.ts', '#lib/operation', 'libs/assembly/operation/src/index.ts'],
  ['group-order-runner', 'libs/runner/workspace/src/a.ts', '#lib/operation', 'libs/assembly/operation/src/index.ts'],
  ['runner-stands-apart', 'libs/runner/workspace/src/b.ts', '#lib/policy', 'libs/rules/policy/src/index.ts'],
  ['verifier-trusts-nobody', 'libs/foundation/verifier/src/a.ts', '#lib/kernel', 'libs/foundation/kernel/src/index.ts'],
  ['formats-stand-alone', 'libs/foundation/formats/src/a.ts', '#lib/kernel', 'libs/foundation/kernel/src/index.ts'],
  [
    'policy-inputs-know-no-api',
    'libs/foundation/policy-inputs/src/a.ts',
    '#lib/api-schemas',
    'libs/foundation/api-schemas/src/index.ts',
  ],
  [
    'rows-keep-formats',
    'libs/people/mfa/src/adapters/a.entity.ts',
    '#lib/policy-inputs',
    'libs/foundation/policy-inputs/src/index.ts',
  ],
  ['words-run-in-browsers', 'libs/foundation/words/src/a.ts', '#lib/kernel', 'libs/foundation/kernel/src/index.ts'],
  ['kernel-knows-nobody', 'libs/foundation/kernel/src/a.ts', '#lib/task', 'libs/stages/task/src/index.ts'],
  [
    'libraries-know-no-api',
    'libs/people/mfa/src/application/a.ts',
    '#lib/api-schemas',
    'libs/foundation/api-schemas/src/index.ts',
  ],
  ['clients-are-not-the-server', 'libs/clients/sdk/src/a.ts', '#lib/task', 'libs/stages/task/src/index.ts'],
  [
    'libraries-know-no-app',
    'libs/stages/run/src/application/b.ts',
    '../../../../../apps/worker/src/x.js',
    'apps/worker/src/x.ts',
  ],
  ['apps-do-not-meet', 'apps/api/src/b.ts', '../../worker/src/x.js', 'apps/worker/src/x.ts'],
  ['web-runs-in-browsers', 'apps/web/src/a.ts', '#lib/task', 'libs/stages/task/src/index.ts'],
  ['stage-order-task', 'libs/stages/task/src/application/a.ts', '#lib/plan', 'libs/stages/plan/src/index.ts'],
  [
    'stage-order-plan',
    'libs/stages/plan/src/application/b.ts',
    '#lib/simulation',
    'libs/stages/simulation/src/index.ts',
  ],
  [
    'stage-order-simulation',
    'libs/stages/simulation/src/application/a.ts',
    '#lib/approval',
    'libs/stages/approval/src/index.ts',
  ],
  ['stage-order-approval', 'libs/stages/approval/src/application/a.ts', '#lib/run', 'libs/stages/run/src/index.ts'],
  ['stage-order-run', 'libs/stages/run/src/application/c.ts', '#lib/session', 'libs/stages/session/src/index.ts'],
  [
    'stage-order-session',
    'libs/stages/session/src/application/a.ts',
    '#lib/tool-call',
    'libs/stages/tool-call/src/index.ts',
  ],
  [
    'stage-order-tool-call',
    'libs/stages/tool-call/src/application/a.ts',
    '#lib/automation',
    'libs/stages/automation/src/index.ts',
  ],
];

const targets = Object.fromEntries(broken.filter(([, , , to]) => to !== '').map(([, , , to]) => [to, nothing]));

/** The file beside one that breaks a rule, which imports the same for its types alone. */
const typeOnly = (from: string): string => from.replace(/(?=(\.spec|\.entity)?\.ts$)/, '-types');

const ring = {
  'libs/stages/plan/src/domain/ring-a.ts': imports('./ring-b.js'),
  'libs/stages/plan/src/domain/ring-b.ts': imports('./ring-a.js'),
};
const page = {
  'apps/web/src/page-a.ts': imports('#lib/api-schemas'),
  'apps/web/src/page-b.ts': importsType('#lib/api-schemas'),
};
const kept = {
  'libs/foundation/kernel/src/index.ts': nothing,
  'libs/stages/plan/src/index.ts': nothing,
  'libs/stages/plan/src/domain/kept-a.ts': imports('#lib/kernel'),
  'libs/stages/plan/src/application/kept-b.ts': imports('../domain/kept-a.js'),
  'libs/stages/plan/src/adapters/kept-c.ts': imports('../application/kept-b.js'),
  'libs/stages/run/src/index.ts': imports('#lib/plan'),
  'libs/stages/run/src/create-runs.ts': imports('#lib/plan'),
  'libs/assembly/installation/src/index.ts': imports('#lib/run') + "import '#lib/plan';\n",
  'libs/stages/plan/src/application/fake-c.ts': nothing,
  'libs/stages/run/src/run.contract.ts': imports('../../plan/src/application/fake-c.js'),
  'libs/stages/run/src/run.spec.ts': imports('./run.contract.js'),
  'apps/api/src/kept-a.ts': imports('#lib/run'),
  'apps/api/src/kept-b.ts': imports('#lib/installation'),
  'apps/web/src/kept-c.spec.ts': imports('../../../libs/stages/plan/src/application/fake-c.js'),
};

describe('import rules', () => {
  // One tree holds all: dependency-cruiser starts with a second of work.
  const violations = violationsIn({
    ...targets,
    ...Object.fromEntries(broken.map(([, from, specifier]) => [from, imports(specifier)])),
    ...Object.fromEntries(broken.map(([, from, specifier]) => [typeOnly(from), importsType(specifier)])),
    ...ring,
    ...page,
    ...kept,
  }).map(({ rule, from }) => [rule.name, from] as const);
  const caughtIn = (files: Readonly<Record<string, string>>): typeof violations =>
    violations.filter(([, from]) => from in files);

  it.each(broken)('%s is caught in %s, which imports %s', (rule, from) => {
    expect(violations).toContainEqual([rule, from]);
  });

  it.each(broken)('%s is caught in %s for a type-only import, too', (rule, from) => {
    expect(violations).toContainEqual([rule, typeOnly(from)]);
  });

  it('web-takes-types-of-schemas is caught, and lets types through', () => {
    expect(caughtIn(page)).toEqual([['web-takes-types-of-schemas', 'apps/web/src/page-a.ts']]);
  });

  it('no-circular is caught', () => {
    expect(caughtIn(ring).map(([rule]) => rule)).toEqual(['no-circular']);
  });

  it('nothing is caught where the rules are kept', () => {
    expect(caughtIn(kept)).toEqual([]);
  });

  it('every rule is broken by a test', () => {
    // oxlint-disable-next-line typescript/no-require-imports -- the configuration is CommonJS
    const { forbidden } = require('../../.dependency-cruiser.cjs') as { forbidden: { name: string }[] };
    const tested = new Set([...broken.map(([rule]) => rule), 'no-circular', 'web-takes-types-of-schemas']);
    expect(forbidden.map((rule) => rule.name).filter((name) => !tested.has(name))).toEqual([]);
  });
});
