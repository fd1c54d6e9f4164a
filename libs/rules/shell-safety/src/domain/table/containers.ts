import type { Behaviour, ProgramRow } from '../program-row.js';
import { COMPOSE, COMPOSE_OPTIONS, CONTAINER_READS, CONTAINER_WRITES } from './docker.js';
import { mergeOptions } from './merge-options.js';
import { pflag } from './pflag.js';
import { sameFor } from './same-for.js';

const composeSubcommands = Object.fromEntries(
  Object.entries(COMPOSE).map(([name, behaviour]): [string, Behaviour] => [`compose ${name}`, behaviour]),
);

const USAGE = { class: 'READ_ONLY', does: 'prints its version or usage', operands: 'none' } as const;

/** Engines that run containers, and their composition. A daemon is root on its host: options that choose another one ask. */
export const CONTAINER_PROGRAMS: readonly ProgramRow[] = [
  pflag({
    names: ['docker'],
    ...USAGE,
    options: {
      plain: '-h --help -v --version -D --debug --tls --tlsverify',
      value: '-l --log-level',
      networkTo: '-H --host -c --context --tlscacert --tlscert --tlskey',
      executes: '--config',
    },
    subcommands: {
      ...CONTAINER_WRITES,
      ...CONTAINER_READS,
      compose: { class: 'UNKNOWN', does: 'works on a project of containers', options: COMPOSE_OPTIONS },
      ...composeSubcommands,
    },
  }),
  pflag({
    names: ['podman', 'nerdctl'],
    ...USAGE,
    options: {
      plain: '-h --help -v --version',
      value: '-n --namespace --log-level',
      networkTo: '-r --remote --url -c --connection -H --host -a --address',
      identifies: '--identity',
      executes: '--hooks-dir --runtime --conmon --config --module --network-cmd-path',
      writesTo: '--root --runroot --tmpdir --data-root',
    },
    subcommands: {
      ...CONTAINER_WRITES,
      ...CONTAINER_READS,
      ...sameFor('pod create, pod start, pod stop, pod restart, generate, play, kube, unshare, machine, mount', {
        class: 'WRITE',
        does: 'changes pods, or executes in their namespace',
      }),
      'pod rm': { class: 'DESTRUCTIVE', does: 'deletes pods' },
    },
  }),
  pflag({
    names: ['docker-compose', 'podman-compose'],
    ...USAGE,
    options: mergeOptions(COMPOSE_OPTIONS, {
      plain: '-h --help -v --version',
      networkTo: '-H --host -c --context --tlscacert --tlscert --tlskey',
    }),
    subcommands: COMPOSE,
  }),
  {
    names: [
      'ctr',
      'buildctl',
      'buildah',
      'runc',
      'crun',
      'skopeo',
      'systemd-nspawn',
      'lxc',
      'lxc-attach',
      'lxc-start',
      'incus',
      'lxc-ls',
      'lxc-info',
    ],
    class: 'UNKNOWN',
    does: 'runs, builds or copies containers',
  },
];
