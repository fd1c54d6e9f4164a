import type { Behaviour, Options, ProgramRow } from '../program-row.js';
import { mergeOptions } from './merge-options.js';
import { pflag } from './pflag.js';
import { sameFor } from './same-for.js';

const HELM_GLOBAL: Options = {
  plain: '-h --help --debug',
  value: '-n --namespace --kube-context --burst-limit --qps',
  networkTo: '--kube-apiserver --kube-ca-file --kube-tls-server-name',
  identifies: '--kube-token --kube-as-user --kube-as-group --registry-config',
  network: '--kube-insecure-skip-tls-verify',
  executes: '--kubeconfig',
};

const helmRead = (does: string, options: Options = {}): Behaviour => ({
  class: 'READ_ONLY',
  does,
  options: mergeOptions({ value: '-o --output' }, options),
  operands: 'any',
  network: true,
});

/** Command lines of Kubernetes and of the tools around it. */
export const KUBERNETES_PROGRAMS: readonly ProgramRow[] = [
  pflag({
    names: ['helm'],
    class: 'READ_ONLY',
    does: 'prints its usage',
    options: HELM_GLOBAL,
    operands: 'none',
    subcommands: {
      ...sameFor(
        'list, ls',
        helmRead('lists releases', {
          plain:
            '-A --all-namespaces -a --all -d --date --deployed --failed --pending -q --short -r --reverse --superseded ' +
            '--uninstalled --uninstalling --no-headers',
          value: '-f --filter -m --max --offset -l --selector --time-format',
        }),
      ),
      status: helmRead('shows a release', { value: '--revision', plain: '--show-desc --show-resources' }),
      ...sameFor('history, hist', helmRead('shows revisions of a release', { value: '--max' })),
      ...sameFor('get notes, get metadata', helmRead('shows a release', { value: '--revision', plain: '--logs' })),
      // The values and the manifests of a release hold its passwords.
      ...sameFor('get, get all, get values, get manifest, get hooks, env', {
        class: 'READ_ONLY',
        tier: 2,
        does: 'prints values of a release, secrets included',
      }),
      ...sameFor('version, help, completion', {
        class: 'READ_ONLY',
        does: 'prints its version or settings',
        options: { plain: '--short -c --client', value: '--template' },
        operands: 'any',
      }),
      ...sameFor('repo list, plugin list, plugin ls, repo ls', helmRead('lists what is configured')),
      lint: { class: 'BUILD_TEST', does: 'checks a chart' },
      template: { class: 'BUILD_TEST', does: 'renders a chart', options: { executes: '--post-renderer' } },
      ...sameFor(
        'show, show values, show chart, show all, show readme, pull, fetch, push, search, search hub, search repo',
        {
          class: 'NETWORK',
          does: 'reads or writes charts of a repository',
        },
      ),
      ...sameFor('repo add, repo update, repo remove, repo index, registry, dependency, dep, login, logout', {
        class: 'NETWORK',
        does: 'changes or reads repositories of charts',
      }),
      ...sameFor('install, upgrade, rollback, test', {
        class: 'WRITE',
        does: 'changes a release in the cluster',
        options: {
          plain: '-i --install --atomic --wait --dry-run --create-namespace --reuse-values --reset-values --devel',
          value: '--version --timeout --set-string --description',
          reads: '-f --values --set-file',
          executes: '--post-renderer',
          destroys: '--force --cleanup-on-fail',
        },
      }),
      ...sameFor('uninstall, delete, del, un', { class: 'DESTRUCTIVE', does: 'deletes a release from the cluster' }),
      ...sameFor('plugin install, plugin update, plugin uninstall', { class: 'UNKNOWN', does: 'installs a program' }),
      ...sameFor('create, package', { class: 'WRITE', does: 'writes a chart' }),
    },
  }),
  {
    names: ['kustomize', 'skaffold', 'helmfile', 'argocd', 'flux', 'velero', 'istioctl', 'tilt', 'kubeadm'],
    class: 'UNKNOWN',
    does: 'builds, fetches or changes what a cluster runs',
    subcommands: {
      version: {
        class: 'READ_ONLY',
        does: 'prints its version',
        options: { plain: '--short --client' },
        operands: 'none',
      },
    },
  },
  {
    names: ['k9s', 'kubectx', 'kubens', 'k3s', 'minikube', 'kind', 'k3d'],
    class: 'UNKNOWN',
    does: 'works on clusters',
  },
  { names: ['stern', 'kubetail'], class: 'UNKNOWN', does: 'prints logs of a cluster' },
  {
    names: ['etcdctl'],
    class: 'UNKNOWN',
    does: "reads or writes the cluster's database, secrets included",
  },
  pflag({
    names: ['crictl'],
    class: 'READ_ONLY',
    does: 'prints its usage',
    options: {
      plain: '-h --help -v --version -D --debug',
      value: '-t --timeout',
      networkTo: '-r --runtime-endpoint -i --image-endpoint',
      reads: '-c --config',
    },
    operands: 'none',
    subcommands: {
      ...sameFor('ps, pods, images, image, img, stats, statsp, info, version, imagefsinfo, logs', {
        class: 'READ_ONLY',
        does: 'shows containers, pods and images of a node',
        options: {
          plain: '-a --all -q --quiet --no-trunc -l --latest -f --follow -p --previous --digests',
          value:
            '-o --output --name --image --label --state --pod --namespace --tail --since --limit-bytes --id -n --last',
        },
        operands: 'any',
      }),
      ...sameFor('inspect, inspectp, inspecti', {
        class: 'READ_ONLY',
        does: 'shows all about containers, pods and images of a node',
        options: { plain: '-q --quiet -a --all', value: '-o --output --template --name --image --id' },
        operands: 'any',
        inspect: 'container-details',
      }),
      ...sameFor('exec, attach, run, runp, create, port-forward', { class: 'UNKNOWN', does: 'runs a container' }),
      ...sameFor('pull', { class: 'NETWORK', does: 'fetches an image' }),
      ...sameFor('start, stop, stopp, update, checkpoint', { class: 'WRITE', does: 'changes containers' }),
      ...sameFor('rm, rmp, rmi', { class: 'DESTRUCTIVE', does: 'deletes containers or images' }),
    },
  }),
];
