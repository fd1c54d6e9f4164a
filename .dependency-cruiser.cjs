// The import rules of the house. test/architecture/import-rules.spec.ts breaks each of them and sees it caught.
const stages = ['task', 'plan', 'simulation', 'approval', 'run', 'session', 'tool-call', 'automation'];

/** The groups of libs/, in the order in which they may import. README.md states the purpose of each. */
const groups = [
  ...['foundation', 'registry', 'people', 'rules', 'stages', 'reach', 'evidence', 'clients', 'runner'],
  'assembly',
];

/**
 * Tests, and the files that only they use. These are fakes of ports, and the suites that hold a fake and the real thing to one
 * contract.
 */
const tests = '(\\.(spec|contract)\\.ts|/fake-[^/]+\\.ts)$';

/** A group may import the groups before it, and none after it. */
const groupOrder = groups.slice(0, -1).map((group, index) => ({
  name: `group-order-${group}`,
  severity: 'error',
  comment: `${group} comes before ${groups.slice(index + 1).join(', ')}: it offers a port instead of importing them.`,
  from: { path: `^libs/${group}/`, pathNot: tests },
  to: { path: `^libs/(${groups.slice(index + 1).join('|')})/`, pathNot: tests },
}));

/** A stage may import the stages before it, and none after it. */
const stageOrder = stages.slice(0, -1).map((stage, index) => ({
  name: `stage-order-${stage}`,
  severity: 'error',
  comment: `${stage} comes before ${stages.slice(index + 1).join(', ')}: it offers a port instead of importing them.`,
  from: { path: `^libs/stages/${stage}/` },
  to: { path: `^libs/stages/(${stages.slice(index + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'A cycle has no inside and no outside.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment:
        'domain/ imports its own folder, other libraries through their index, and pure packages; no framework and no I/O.',
      from: { path: '^libs/[^/]+/[^/]+/src/domain/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: [
          '^libs/[^/]+/[^/]+/src/(application|adapters)/',
          '^node_modules/(@nestjs|typeorm|pg|undici|fastify|pino|nestjs-)',
          '^(node:)?(fs|net|http|https|dns|child_process|tls)(/|$)',
        ],
      },
    },
    {
      name: 'application-knows-no-adapter',
      severity: 'error',
      comment: 'Use cases are written against ports.',
      from: { path: '^libs/[^/]+/[^/]+/src/application/', pathNot: '\\.spec\\.ts$' },
      to: { path: ['^libs/[^/]+/[^/]+/src/adapters/', '^node_modules/(@nestjs|typeorm|pg)/'] },
    },
    {
      name: 'libraries-meet-at-index',
      severity: 'error',
      comment: "Another library's inside is its own business: import #lib/<name>.",
      from: { path: '^libs/([^/]+/[^/]+)/', pathNot: tests },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'tests-meet-at-index-or-fakes',
      severity: 'error',
      comment: 'A test of a library sees of the others what they export, and their fakes.',
      from: { path: '^libs/([^/]+/[^/]+)/.*' + tests },
      to: {
        path: '^libs/',
        pathNot: ['^libs/$1/', '^libs/[^/]+/[^/]+/src/index\\.ts$', '/fake-[^/]+\\.ts$'],
      },
    },
    {
      name: 'fakes-are-for-tests',
      severity: 'error',
      comment: 'The product is made of real adapters.',
      from: { path: '^(libs|apps)/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'apps-use-index',
      severity: 'error',
      comment: 'An app sees what a library exports, and a test of an app its fakes, too.',
      from: { path: '^apps/' },
      to: { path: '^libs/', pathNot: ['^libs/[^/]+/[^/]+/src/index\\.ts$', '/fake-[^/]+\\.ts$'] },
    },
    {
      name: 'libraries-know-no-framework',
      severity: 'error',
      comment: 'A library is made by its create function; Nest serves HTTP, in apps.',
      from: { path: '^libs/' },
      to: { path: '^(node_modules/)?(@nestjs/|nestjs-)' },
    },
    {
      name: 'only-the-installation-wires',
      severity: 'error',
      comment: 'One place knows every library; a library that knew the installation would know them all.',
      from: { path: '^libs/(?!assembly/installation/)' },
      to: { path: '^libs/assembly/installation/' },
    },
    {
      name: 'words-run-in-browsers',
      severity: 'error',
      comment: 'Pages import the words: nothing that a browser lacks may come with them.',
      from: { path: '^libs/foundation/words/', pathNot: '\\.spec\\.ts$' },
      to: { path: ['^(libs|apps)/', '^(node:)?(fs|crypto|net|http|path|os)(/|$)'], pathNot: '^libs/foundation/words/' },
    },
    {
      name: 'verifier-trusts-nobody',
      severity: 'error',
      comment: 'The offline verifier imports nothing of the server.',
      from: { path: '^libs/foundation/verifier/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: ['^libs/', '^apps/', '^node_modules/(?!@noble/|@open-policy-agent/)'],
        pathNot: ['^libs/foundation/verifier/', '^libs/foundation/canonical/src/index\\.ts$'],
      },
    },
    {
      name: 'kernel-knows-nobody',
      severity: 'error',
      comment: 'What everybody imports imports nobody.',
      from: { path: '^libs/foundation/(kernel|canonical)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(libs|apps)/', pathNot: '^libs/foundation/(kernel|canonical)/' },
    },
    {
      name: 'formats-stand-alone',
      severity: 'error',
      comment: 'A row or a digest depends on a format. No change of a policy input or of the API may reach it.',
      from: { path: '^libs/foundation/formats/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(libs|apps)/', pathNot: '^libs/foundation/formats/' },
    },
    {
      name: 'policy-inputs-know-no-api',
      severity: 'error',
      comment: 'Policies decide on facts in stored formats, not on what the API shows.',
      from: { path: '^libs/foundation/policy-inputs/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(libs|apps)/', pathNot: '^libs/foundation/(policy-inputs|formats)/' },
    },
    {
      name: 'rows-keep-formats',
      severity: 'error',
      comment:
        'A policy input may become stricter at any time; a row that is kept may not become unreadable by that. A report of impact alone keeps facts that it hands to policies.',
      from: { path: '\\.entity\\.ts$', pathNot: '^libs/evidence/impact/' },
      to: { path: '^libs/foundation/policy-inputs/' },
    },
    {
      name: 'libraries-know-no-api',
      severity: 'error',
      comment:
        'A use case takes and returns types of its own library; the API translates. Reports alone answer as the API does.',
      from: { path: '^libs/', pathNot: '^libs/(clients|evidence/report|foundation/api-schemas)/' },
      to: { path: '^libs/foundation/api-schemas/' },
    },
    {
      name: 'clients-are-not-the-server',
      severity: 'error',
      comment: 'Clients ship to others: schemas, digests and the reading of command lines, nothing else of ours.',
      from: { path: '^libs/clients/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^(libs|apps)/',
        pathNot: '^libs/(clients|foundation/(formats|api-schemas|kernel|canonical)|rules/shell-safety)/',
      },
    },
    {
      name: 'runner-stands-apart',
      severity: 'error',
      comment:
        "A runner is in a tenant's own network. It has folders, formats, digests, words, the rules for shells and the way out to an embedder. It has no server and no database.",
      from: { path: '^libs/runner/', pathNot: tests },
      to: {
        path: ['^(libs|apps)/', '^node_modules/(typeorm|pg|fastify)/'],
        pathNot:
          '^libs/(runner/|foundation/(folders|formats|kernel|canonical|words|embedding|outbound)/|rules/shell-safety/)',
      },
    },
    {
      name: 'libraries-know-no-app',
      severity: 'error',
      comment: 'Apps depend on libraries.',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-do-not-meet',
      severity: 'error',
      comment: 'Apps are processes; they talk over the network. The command line may start them in one process.',
      from: { path: '^apps/(?!cli/)([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'web-runs-in-browsers',
      severity: 'error',
      comment: 'The web UI imports the verifier, canonical JSON and the words; of the schemas, types.',
      from: { path: '^apps/web/' },
      to: {
        path: '^(libs|apps)/',
        pathNot: [
          '^(apps/web/|libs/(clients/client|foundation/(formats|policy-inputs|api-schemas|verifier|canonical|words))/src/index\\.ts$)',
          '/fake-[^/]+\\.ts$',
        ],
      },
    },
    {
      name: 'web-takes-types-of-schemas',
      severity: 'error',
      comment: 'zod and every schema would otherwise be sent to every browser.',
      from: { path: '^apps/web/' },
      to: { path: '^libs/foundation/(formats|policy-inputs|api-schemas)/', dependencyTypesNot: ['type-only'] },
    },
    ...groupOrder,
    ...stageOrder,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^dist/|^coverage/)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
