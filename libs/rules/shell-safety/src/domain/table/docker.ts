import type { Behaviour, Options } from '../program-row.js';
import { mergeOptions } from './merge-options.js';
import { sameFor } from './same-for.js';

const FILTERS: Options = { plain: '-q --quiet --no-trunc', value: '-f --filter --format' };

const read = (does: string, ...options: Options[]): Behaviour => ({
  class: 'READ_ONLY',
  does,
  options: mergeOptions(...options),
  operands: 'any',
});

const list = (does: string, options: Options = {}): Behaviour => read(does, FILTERS, options);

const CONTAINERS = list('lists containers', { plain: '-a --all -l --latest -s --size', value: '-n --last' });

const LOGS = read('prints logs of containers', {
  plain: '-f --follow -t --timestamps --details --no-color --no-log-prefix --no-resolve --no-task-ids --no-trunc --raw',
  value: '--since --until -n --tail --index',
});

const INSPECT = read('shows details', { plain: '-s --size --pretty -v --verbose', value: '-f --format --type' });

const INSPECT_ENVIRONMENT: Behaviour = { ...INSPECT, inspect: 'container-details' };

/** Reads of the daemon that is configured, shared by docker, podman and nerdctl. */
export const CONTAINER_READS: Readonly<Record<string, Behaviour>> = {
  ...sameFor('ps, container ls, container list, container ps', CONTAINERS),
  ...sameFor('images, image ls, image list', list('lists images', { plain: '-a --all --digests --tree' })),
  ...sameFor('logs, container logs, service logs', LOGS),
  ...sameFor(
    'inspect, container inspect, image inspect, service inspect, plugin inspect, pod inspect',
    INSPECT_ENVIRONMENT,
  ),
  ...sameFor('volume inspect, network inspect, node inspect, context inspect, secret inspect', INSPECT),
  ...sameFor(
    'stats, container stats',
    read('shows what containers use', { plain: '-a --all --no-stream --no-trunc', value: '--format' }),
  ),
  ...sameFor('version, info, system info', read('shows the daemon', { value: '-f --format' })),
  ...sameFor('port, diff, container port, container diff, context show', read('shows a container')),
  // Options after the container are passed to ps on the daemon's side.
  ...sameFor('top, container top', {
    ...read('lists processes of a container', { plain: '-a -e -f -x -u -w -l', value: '-o' }),
    inspect: 'ps-options',
  }),
  ...sameFor(
    'history, image history',
    read('shows layers of an image', { plain: '-H --human --no-trunc -q --quiet', value: '--format --platform' }),
  ),
  ...sameFor(
    'events, system events',
    read('prints events of the daemon', { value: '-f --filter --format --since --until' }),
  ),
  ...sameFor(
    'volume ls, volume list, network ls, network list, node ls, service ls',
    list('lists what the daemon knows'),
  ),
  ...sameFor(
    'stack ls, secret ls, config ls, plugin ls, context ls, pod ls, pod ps',
    list('lists what the daemon knows'),
  ),
  ...sameFor('service ps, stack ps, stack services, node ps', list('lists tasks', { plain: '--no-resolve' })),
  'system df': read('shows how much space is used', { plain: '-v --verbose', value: '--format' }),
  ...sameFor('buildx ls, buildx du, buildx version, builder du', list('lists builders', { plain: '--verbose' })),
  help: read('prints its manual'),
};

/** Subcommands that change containers, or execute in them. */
export const CONTAINER_WRITES: Readonly<Record<string, Behaviour>> = {
  ...sameFor('run, exec, create, container run, container exec, container create, attach, container attach', {
    class: 'UNKNOWN',
    does: 'executes a program in a container, which may have the host mounted',
  }),
  ...sameFor('build, buildx, buildx build, buildx bake, image build, builder build, compose build', {
    class: 'BUILD_TEST',
    does: 'builds an image, executing the steps of its file',
    options: {
      plain: '--no-cache --pull -q --quiet --push --load --rm',
      value: '-t --tag --target --platform --progress --label --build-arg --network',
      reads: '-f --file',
      executes: '--secret --ssh --allow --output -o',
    },
  }),
  ...sameFor('pull, push, login, logout, search, image pull, image push, manifest, manifest inspect', {
    class: 'NETWORK',
    does: 'reaches a registry',
  }),
  ...sameFor('rm, rmi, container rm, image rm, volume rm, network rm, stack rm, service rm, secret rm, config rm', {
    class: 'DESTRUCTIVE',
    does: 'deletes containers, images or data',
    options: { plain: '-f --force -v --volumes' },
  }),
  ...sameFor('system prune, image prune, container prune, volume prune, network prune, builder prune, buildx prune', {
    class: 'DESTRUCTIVE',
    does: 'deletes whatever is not in use',
    options: { plain: '-f --force -a --all --volumes', value: '--filter' },
  }),
  ...sameFor('kill, stop, container kill, container stop, node rm, swarm leave, system reset', {
    class: 'DESTRUCTIVE',
    does: 'ends containers',
    options: { value: '-t --time --timeout -s --signal' },
  }),
  ...sameFor('start, restart, pause, unpause, rename, update, commit, tag, wait, container start, container restart', {
    class: 'WRITE',
    does: 'changes containers or images',
    options: { value: '-t --time --timeout' },
  }),
  ...sameFor('cp, container cp, export, save, load, import, container export, image save, image load, image import', {
    class: 'WRITE',
    does: 'copies data into or out of containers and images',
    options: { writesTo: '-o --output' },
  }),
  ...sameFor('volume create, network create, network connect, network disconnect, context use, context create', {
    class: 'WRITE',
    does: 'changes what the daemon keeps',
  }),
  ...sameFor(
    'service create, service update, service scale, stack deploy, secret create, config create, plugin install',
    {
      class: 'WRITE',
      does: 'changes what a swarm runs',
    },
  ),
  ...sameFor('config inspect, swarm, swarm join-token, swarm unlock-key', {
    class: 'READ_ONLY',
    tier: 2,
    does: 'can print secrets of a swarm, or change it',
  }),
};

const composeList = (does: string, options: Options = {}): Behaviour =>
  read(does, { plain: '-q --quiet --no-trunc', value: '--filter --format' }, options);

/** `compose`, as `docker compose` and as a program of its own. Names have no prefix here. */
export const COMPOSE: Readonly<Record<string, Behaviour>> = {
  ps: composeList('lists containers of the project', {
    plain: '-a --all --services --orphans',
    value: '--status',
  }),
  logs: LOGS,
  ls: composeList('lists projects', { plain: '-a --all' }),
  images: composeList('lists images of the project'),
  ...sameFor(
    'top, port, stats, volumes',
    read('shows containers of the project', {
      plain: '--no-stream -a --all',
      value: '--protocol --index --format',
    }),
  ),
  events: read('prints events of the project', { plain: '--json', value: '--since --until' }),
  version: read('prints its version', { plain: '--short', value: '-f --format' }),
  // It fills in the variables of `.env`, passwords included.
  ...sameFor('config, convert', { class: 'READ_ONLY', tier: 2, does: 'prints the project with the values of .env' }),
  ...sameFor('up, run, exec, start, restart, create, watch, attach', {
    class: 'UNKNOWN',
    does: 'executes what the project names',
  }),
  build: {
    class: 'BUILD_TEST',
    does: 'builds images of the project',
    options: { plain: '--no-cache --pull -q --quiet', value: '--build-arg' },
  },
  ...sameFor('pull, push, publish', { class: 'NETWORK', does: 'reaches a registry' }),
  ...sameFor('down, rm, kill, stop', {
    class: 'DESTRUCTIVE',
    does: 'ends or deletes containers of the project',
    options: { destroys: '-v --volumes --rmi --remove-orphans' },
  }),
  ...sameFor('pause, unpause, scale, cp, export, commit', {
    class: 'WRITE',
    does: 'changes containers of the project',
  }),
};

/** A compose file is data to the reads: its images are not run by them. */
export const COMPOSE_OPTIONS: Options = {
  plain: '--compatibility --all-resources --verbose',
  value: '-p --project-name --profile --ansi --progress --parallel',
  reads: '-f --file --project-directory --env-file',
};
