import type { Behaviour, Options, ProgramRow } from '../program-row.js';
import { mergeOptions } from './merge-options.js';
import { pflag } from './pflag.js';
import { sameFor } from './same-for.js';

/**
 * Of every subcommand. `--context` stays within the person's own configuration, `networkTo` and `identifies` do not. A kubeconfig
 * names programs that give credentials, hence `executes`. `-v` above 8 prints requests, with their credentials masked.
 */
const GLOBAL: Options = {
  plain: '-h --help --match-server-version --warnings-as-errors --disable-compression',
  value: '-n --namespace --context --request-timeout -v --v --vmodule --log-flush-frequency',
  networkTo: '-s --server --cluster --tls-server-name --certificate-authority',
  identifies:
    '--user --token --username --password --as --as-group --as-uid --as-user-extra --client-certificate --client-key',
  network: '--insecure-skip-tls-verify',
  executes: '--kubeconfig',
  writesTo: '--cache-dir --profile --profile-output --log-file --log-dir',
};

const OUTPUT: Options = {
  value: '-o --output',
  // With `-o templatefile`, the file of the template.
  reads: '--template',
  plain: '--allow-missing-template-keys --show-managed-fields',
};

/** `-f` may name an address or a Secret, `-k` fetches and builds: both ask. */
const FILES: Options = { networkTo: '-f --filename -k --kustomize', plain: '-R --recursive' };

function read(does: string, ...options: Options[]): Behaviour {
  return { class: 'READ_ONLY', does, options: mergeOptions(OUTPUT, ...options), operands: 'any', network: true };
}

const READS: Readonly<Record<string, Behaviour>> = {
  get: {
    ...read('lists resources of the cluster', FILES, {
      plain:
        '-A --all-namespaces --ignore-not-found --no-headers --output-watch-events --server-print --show-kind --show-labels ' +
        '-w --watch --watch-only',
      value: '-l --selector --field-selector -L --label-columns --sort-by --chunk-size --subresource',
      // Any path of the API server, secrets and proxies of nodes included.
      networkTo: '--raw',
    }),
    inspect: 'kubectl-secrets',
  },
  describe: {
    ...read('describes resources of the cluster', FILES, {
      plain: '-A --all-namespaces --show-events',
      value: '-l --selector --chunk-size',
    }),
    inspect: 'kubectl-secrets',
  },
  ...sameFor(
    'logs, log',
    read('prints logs of containers', {
      plain: '-f --follow -p --previous --timestamps --prefix --all-containers --all-pods --ignore-errors',
      value:
        '-c --container -l --selector --since --since-time --tail --limit-bytes --max-log-requests --pod-running-timeout',
    }),
  ),
  ...sameFor(
    'top, top pod, top pods, top po, top node, top nodes, top no',
    read('shows what pods or nodes use', {
      plain: '-A --all-namespaces --containers --no-headers --sum --use-protocol-buffers --show-capacity --show-swap',
      value: '-l --selector --field-selector --sort-by',
    }),
  ),
  explain: read('explains a kind of resource', { plain: '--recursive', value: '--api-version' }),
  ...sameFor(
    'api-resources, api-versions',
    read('lists what the cluster knows', {
      plain: '--cached --namespaced --no-headers',
      value: '--api-group --categories --sort-by --verbs',
    }),
  ),
  version: read('prints versions', { plain: '--client --short' }),
  'cluster-info': { ...read('prints addresses of the cluster'), operands: 'none' },
  ...sameFor(
    'auth can-i, auth whoami',
    read('shows what the user may do', {
      plain: '-A --all-namespaces --list --no-headers -q --quiet',
      value: '--subresource',
    }),
  ),
  ...sameFor(
    'rollout status, rollout history',
    read('shows a rollout', FILES, { plain: '-w --watch', value: '--revision --timeout -l --selector' }),
  ),
  ...sameFor(
    'events, event',
    read('lists events', {
      plain: '-A --all-namespaces --no-headers -w --watch',
      value: '--chunk-size --for --types',
    }),
  ),
  wait: read('waits for a state', FILES, {
    plain: '--all -A --all-namespaces --local',
    value: '--for --timeout -l --selector --field-selector',
  }),
  // Keys and tokens are printed as REDACTED, unless --raw asks for them: `--raw` and `--flatten` are left unknown.
  'config view': {
    ...read('prints the configuration without its secrets', { plain: '--minify --merge' }),
    operands: 'none',
  },
  ...sameFor(
    'config current-context, config get-contexts, config get-clusters, config get-users',
    read('lists contexts of the configuration', { plain: '--no-headers' }),
  ),
  'plugin list': read('lists plugins', { plain: '--name-only' }),
  ...sameFor('options, completion, help', read('prints its manual')),
};

const WRITES: Readonly<Record<string, Behaviour>> = {
  ...sameFor('apply, create, expose, autoscale, label, annotate, patch, replace, scale, set, taint, cordon, uncordon', {
    class: 'WRITE',
    does: 'changes the cluster',
    options: {
      plain: '--overwrite --all --record --server-side -R --recursive --wait --save-config',
      value:
        '--replicas -l --selector -o --output --dry-run --type -p --patch --image --port --name --min --max --cpu-percent --timeout',
      reads: '-f --filename --from-file --from-env-file --patch-file',
      destroys: '--prune --force',
      network: '-k --kustomize',
    },
  }),
  ...sameFor('rollout restart, rollout undo, rollout pause, rollout resume, certificate, auth reconcile', {
    class: 'WRITE',
    does: 'changes the cluster',
  }),
  edit: { class: 'WRITE', does: 'opens an editor, and changes the cluster' },
  ...sameFor('delete, drain', { class: 'DESTRUCTIVE', does: 'deletes resources of the cluster' }),
  ...sameFor('exec, attach, debug, run', { class: 'UNKNOWN', does: 'executes a command in a container' }),
  cp: { class: 'WRITE', does: 'copies files into or out of a container' },
  ...sameFor('port-forward, proxy', { class: 'NETWORK', does: 'opens a port to the cluster' }),
  diff: { class: 'UNKNOWN', does: 'executes the program that KUBECTL_EXTERNAL_DIFF names' },
  kustomize: { class: 'NETWORK', does: 'builds manifests, and may fetch them' },
  'cluster-info dump': { class: 'READ_ONLY', tier: 2, does: 'prints the state and logs of the whole cluster' },
  'create token': { class: 'WRITE', does: 'issues a token' },
  ...sameFor('config, config use-context, config set, config set-context, config set-cluster, config set-credentials', {
    class: 'WRITE',
    does: 'changes the configuration, which can name programs',
  }),
  ...sameFor('config use, config unset, config rename-context, config delete-context, config delete-cluster', {
    class: 'WRITE',
    does: 'changes the configuration, which can name programs',
  }),
};

/** kubectl and its namesakes. Reads reach only the server of the configured context. Secrets are read only after approval. */
export const KUBECTL_PROGRAMS: readonly ProgramRow[] = [
  pflag({
    names: ['kubectl'],
    class: 'READ_ONLY',
    does: 'prints its usage',
    options: GLOBAL,
    operands: 'none',
    subcommands: { ...WRITES, ...READS },
  }),
  pflag({
    names: ['oc'],
    class: 'READ_ONLY',
    does: 'prints its usage',
    options: GLOBAL,
    operands: 'none',
    subcommands: {
      ...WRITES,
      ...READS,
      ...sameFor('status, project, projects', {
        class: 'READ_ONLY',
        does: 'shows projects',
        options: { plain: '-A --all-namespaces --suggest -q --short' },
        operands: 'none',
        network: true,
      }),
      // With -t it prints the token that it signs in with.
      whoami: { class: 'READ_ONLY', does: 'names the user', options: {}, operands: 'none', network: true },
      ...sameFor('login, rsh, rsync, new-app, start-build, import-image, adm, extract', {
        class: 'NETWORK',
        does: 'reaches a cluster, or executes a command there',
      }),
    },
  }),
];
