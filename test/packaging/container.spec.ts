import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { processIo } from '../../apps/cli/src/io.js';
import { createProgram } from '../../apps/cli/src/program.js';
import { packageRoot } from '#lib/database';
import { contextFiles, copyOperands, dockerfileStages, ignoredBy } from '../../tools/container-files.mjs';

const root = packageRoot();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const serviceSchema = z.object({
  command: z.array(z.string()).optional(),
  build: z.string().optional(),
  image: z.string(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  healthcheck: z.object({ test: z.array(z.string()).optional(), disable: z.boolean().optional() }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
});
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.unknown()),
});

const compose = composeSchema.parse(parse(read('docker-compose.yml'), { merge: true }));
const stages = dockerfileStages(read('Dockerfile'));
const ignored = ignoredBy(read('.dockerignore'));
const context = contextFiles(root, ignored);
const last = stages.at(-1);
const instructionsOf = (name: string): string[] =>
  (last?.instructions ?? []).filter((instruction) => instruction.name === name).map(({ text }) => text);
const ours = Object.entries(compose.services).filter(([, service]) => service.build !== undefined);

/** Every environment variable that the code reads, by its name in it. */
const variables = new Set(
  ['apps', 'libs']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .flatMap((path) =>
      [...read(path).matchAll(/\b(?:DATABASE_URL|COUNTERSIGN_[A-Z_]+|OTEL_[A-Z_]+)\b/g)].map(([name]) => name),
    ),
);

describe('.dockerignore', () => {
  it.each([
    ['apps/api/src/main.ts', false],
    ['apps/api/src/main.spec.ts', true],
    ['libs/stages/task/src/application/fake-task.repository.ts', true],
    ['policies/plan/plan.rego', false],
    ['policies/plan/plan_test.rego', true],
    ['policies/fixtures/plan.json', true],
    ['test/support/api.ts', true],
    ['node_modules/pg/package.json', true],
    ['.countersign/keys/keyring.json', true],
    ['.git/config', true],
    ['.env', true],
  ])('%s is kept out: %s', (path, out) => {
    expect(ignored(path)).toBe(out);
  });

  it('lets no test and no secret through', () => {
    expect(context.filter((path) => /\.spec\.ts$|_test\.rego$|\.(env|pem|key)$/.test(path))).toEqual([]);
    expect(context.length).toBeGreaterThan(300);
  });
});

describe('Dockerfile', () => {
  it.each(
    stages.flatMap(({ name, instructions }) =>
      instructions.filter((each) => each.name === 'COPY').map(({ text }) => [name, text] as const),
    ),
  )('stage %s: COPY %s finds what it copies', (_stage, text) => {
    const { from, sources } = copyOperands(text);
    for (const source of sources) {
      if (from === null) {
        expect([source, context.some((path) => path === source || path.startsWith(`${source}/`))]).toEqual([
          source,
          true,
        ]);
        continue;
      }
      const made = stages
        .find(({ name }) => name === from)
        ?.instructions.some(
          ({ name, text: command }) =>
            name === 'RUN' && command.includes(source.endsWith('/dist') ? 'tsc -p' : 'npm ci'),
        );
      expect([source, made]).toEqual([source, true]);
    }
  });

  it('compiles every source that the build names, and no more', () => {
    const { include } = z.object({ include: z.array(z.string()) }).parse(parse(read('tsconfig.build.json')));
    const copied = new Set(context.map((path) => path.split('/')[0]));
    // The benchmarks are compiled in a checkout only.
    expect(include.map((glob) => glob.split('/')[0]).filter((folder) => !copied.has(folder ?? ''))).toEqual(['test']);
  });

  it('brings the files that a start reads: the schema, the bundle, and every source the bundle was made of', () => {
    const { sources } = z
      .object({ sources: z.array(z.string()) })
      .parse(JSON.parse(read('policies/bundle/manifest.json')));
    const wanted = [
      'policies/bundle/manifest.json',
      'policies/bundle/policy.wasm',
      ...sources.map((path) => `policies/${path}`),
    ];
    expect(wanted.filter((path) => !context.includes(path))).toEqual([]);
    const migrations = readdirSync(join(root, 'migrations'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.sql'))
      .map((name) => `migrations/${name}`);
    expect(migrations.filter((path) => !context.includes(path))).toEqual([]);
    expect(instructionsOf('COPY')).toEqual(expect.arrayContaining(['migrations migrations', 'policies policies']));
  });

  it('leaves out the apps for development alone, and the packages that only they use', () => {
    const removed = stages
      .flatMap(({ instructions }) => instructions)
      .flatMap(({ name, text }) => (name === 'RUN' && text.startsWith('rm -r ') ? text.split(' ').slice(2) : []));
    const production = ['api', 'cli', 'router', 'runner', 'web', 'worker'];
    const others = readdirSync(join(root, 'apps')).filter((app) => !production.includes(app));
    expect(removed.sort()).toEqual(others.map((app) => `dist/apps/${app}`).sort());

    const { packages } = z
      .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
      .parse(JSON.parse(read('package-lock.json')));
    expect(packages['node_modules/oidc-provider']).toEqual({ dev: true });
  });

  it('runs as somebody who is not root, on a Node that package.json allows', () => {
    expect(instructionsOf('USER')).toEqual(['node']);
    expect(stages.map(({ image }) => image)).toEqual(Array(3).fill('node:24-bookworm-slim'));
    // Nothing is copied or run as that user afterwards: the image is not theirs to change.
    const order = last?.instructions.map(({ name }) => name) ?? [];
    expect(order.slice(order.indexOf('USER')).filter((name) => ['COPY', 'RUN', 'ADD'].includes(name))).toEqual([]);
  });

  it('starts a program that the build makes', () => {
    const [entry = ''] = instructionsOf('ENTRYPOINT');
    const [node, program = ''] = z.array(z.string()).parse(JSON.parse(entry));
    expect(node).toBe('node');
    expect(context).toContain(program.replace(/^dist\/programs\/(\w+)\/(\w+)\.js$/, 'apps/$1/src/$2.ts'));
  });

  it('asks a route that exists whether it is healthy', () => {
    expect(instructionsOf('HEALTHCHECK').join()).toContain('/health/ready');
    expect(read('apps/api/src/operation/health.controller.ts')).toMatch(
      /@Controller\('health'\)[\s\S]*@Get\('ready'\)/,
    );
    expect(read('apps/worker/src/worker-server.ts')).toContain("case '/health/ready'");
    expect(compose.services.worker?.healthcheck?.test?.join(' ')).toContain('/health/ready');
  });

  it('sets variables that the code reads', () => {
    const set = instructionsOf('ENV').flatMap((text) => [...text.matchAll(/(\w+)=/g)].map(([, name = '']) => name));
    expect(set.filter((name) => name !== 'NODE_ENV' && !variables.has(name))).toEqual([]);
  });
});

describe('the router in the image', () => {
  it('is the program that docs/operating.md starts, and the image keeps it', () => {
    const { bin } = JSON.parse(read('package.json')) as { bin: Record<string, string> };
    const program = bin['countersign-router']?.replace(/^\.\//, '') ?? '';
    expect(program).toBe('dist/programs/router/main.js');
    expect(read('docs/operating.md')).toContain(`countersign ${program} start`);
    expect(read('Dockerfile')).not.toMatch(/rm -r[^\n]*\brouter\b/);
  });
});

describe('docker-compose.yml', () => {
  it('has PostgreSQL, migrate, api and worker', () => {
    expect(Object.keys(compose.services)).toEqual(['postgres', 'migrate', 'api', 'worker']);
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'api', 'worker']);
  });

  it('calls commands and options that there are', () => {
    const { commands } = createProgram(processIo(() => Promise.resolve(null)));
    for (const [name, { command = [] }] of ours) {
      const [called, ...options] = command;
      const found = commands.find((each) => each.name() === called);
      expect([name, found?.name()]).toEqual([name, called]);
      const known = found?.options.map((option) => option.long) ?? [];
      expect([name, options.filter((option) => !known.includes(option))]).toEqual([name, []]);
    }
  });

  it('sets variables that the code reads', () => {
    const set = ours.flatMap(([, { environment }]) => Object.keys(environment));
    expect(set.filter((name) => !variables.has(name))).toEqual([]);
  });

  it('gives the migrating login to migrate alone, and serves as countersign_app', () => {
    for (const [name, { environment }] of ours) {
      expect([name, 'COUNTERSIGN_MIGRATE_URL' in environment]).toEqual([name, name === 'migrate']);
      expect(String(environment.DATABASE_URL)).toMatch(/^postgres:\/\/countersign_app:\$\{COUNTERSIGN_DB_PASSWORD:\?/);
    }
  });

  it('holds no password', () => {
    const inAddresses = [...read('docker-compose.yml').matchAll(/postgres:\/\/\w+:([^@]*)@/g)].map(
      ([, password = '']) => password,
    );
    expect(inAddresses.filter((password) => !password.startsWith('${'))).toEqual([]);
  });

  it('starts each service after the ones that it needs', () => {
    const waits = (name: string): unknown => compose.services[name]?.depends_on;
    expect(waits('migrate')).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(compose.services.postgres?.healthcheck?.test).toBeDefined();
    for (const name of ['api', 'worker'])
      expect(waits(name)).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  });

  it('lets no process write outside its data, gain a privilege, or be reached from another machine', () => {
    const data = instructionsOf('VOLUME')[0] ?? '';
    expect(instructionsOf('ENV').join()).toContain(`COUNTERSIGN_DATA=${data}`);
    for (const [, service] of ours) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      expect(service.volumes).toEqual([`keys:${data}`]);
    }
    const ports = Object.values(compose.services).flatMap((service) => service.ports);
    expect(ports).toEqual([`127.0.0.1:${instructionsOf('EXPOSE').join()}:8420`]);
  });

  it('names volumes that it declares', () => {
    const used = Object.values(compose.services).flatMap(({ volumes }) =>
      volumes.map((volume) => volume.split(':')[0]),
    );
    expect([...new Set(used)].sort()).toEqual(Object.keys(compose.volumes).sort());
  });
});

describe('package-lock.json', () => {
  it('names every part of every package, of platforms other than this one too: npm ci refuses it otherwise', () => {
    const lockSchema = z.object({
      packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() })),
    });
    const { packages } = lockSchema.parse(JSON.parse(read('package-lock.json')));
    const named = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !named.has(name))
        .map((name) => `${name} of ${path}`),
    );
    expect(missing).toEqual([]);
  });
});
