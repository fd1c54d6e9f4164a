import type { Behaviour, ProgramRow } from '../program-row.js';
import { sameFor } from './same-for.js';

const GCLOUD_READ: Behaviour = {
  class: 'READ_ONLY',
  does: 'reads from the project',
  options: {
    plain: '--quiet -q --uri --global --help',
    value:
      '--filter --format --limit --page-size --sort-by --zone --zones --region --regions --location --cluster --flatten --tail',
  },
  operands: 'any',
  network: true,
  inspect: 'named-host',
};

const AZ_READ: Behaviour = {
  class: 'READ_ONLY',
  does: 'reads from the subscription',
  options: {
    plain: '-d --show-details --only-show-errors --all -h --help',
    value: '-g --resource-group -n --name -o --output --query -l --location --resource-type --tag --subscription',
  },
  operands: 'none',
  network: true,
};

const read = (does: string): Behaviour => ({
  class: 'READ_ONLY',
  does,
  options: { plain: '--json --no-header -j', value: '--format -o --output -a --app -n --num' },
  operands: 'any',
  network: true,
  inspect: 'named-host',
});

/** Command lines of cloud providers. Only reads that answer no secret are listed; the rest asks a person. */
export const CLOUD_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['gcloud'],
    style: 'gnu',
    class: 'READ_ONLY',
    does: 'prints its version',
    options: {
      plain: '--version -v --help -h --quiet -q',
      value: '--project --format --verbosity',
      networkTo: '--configuration --billing-project --flags-file --log-http',
      identifies: '--account --impersonate-service-account --access-token-file',
    },
    operands: 'none',
    subcommands: {
      ...sameFor(
        'compute instances list, compute instances describe, compute zones list, compute regions list',
        GCLOUD_READ,
      ),
      ...sameFor(
        'compute disks list, compute networks list, compute networks describe, compute addresses list',
        GCLOUD_READ,
      ),
      ...sameFor('compute firewall-rules list, compute firewall-rules describe, compute snapshots list', GCLOUD_READ),
      ...sameFor('compute images list, compute forwarding-rules list, compute networks subnets list', GCLOUD_READ),
      ...sameFor(
        'compute backend-services list, compute instance-groups list, compute machine-types list',
        GCLOUD_READ,
      ),
      ...sameFor('container clusters list, container clusters describe, container node-pools list', GCLOUD_READ),
      ...sameFor('projects list, projects describe, projects get-iam-policy, organizations list', GCLOUD_READ),
      ...sameFor(
        'iam service-accounts list, iam roles list, iam roles describe, secrets list, secrets describe',
        GCLOUD_READ,
      ),
      ...sameFor('sql instances list, sql instances describe, sql databases list, sql backups list', GCLOUD_READ),
      ...sameFor('run services list, functions list, app services list, app versions list', GCLOUD_READ),
      ...sameFor('logging read, logging logs list, pubsub topics list, pubsub subscriptions list', GCLOUD_READ),
      ...sameFor(
        'dns managed-zones list, dns record-sets list, services list, storage ls, storage buckets list',
        GCLOUD_READ,
      ),
      ...sameFor(
        'config list, config get-value, config get, config configurations list, auth list, info, version',
        GCLOUD_READ,
      ),
      ...sameFor('artifacts repositories list, container images list, builds list, kms keys list', GCLOUD_READ),
      ...sameFor('auth print-access-token, auth print-identity-token, secrets versions access', {
        class: 'READ_ONLY',
        tier: 2,
        does: 'prints a secret',
      }),
      ...sameFor('compute ssh, compute scp', { class: 'NETWORK', does: 'reaches a machine' }),
    },
  },
  {
    names: ['az'],
    style: 'gnu',
    class: 'READ_ONLY',
    does: 'prints its version',
    options: { plain: '--version -v -h --help --only-show-errors --verbose', value: '-o --output --query' },
    operands: 'none',
    subcommands: {
      version: AZ_READ,
      ...sameFor('account show, account list, account list-locations, group list, group show, resource list', AZ_READ),
      ...sameFor('vm list, vm show, vm list-sizes, vm get-instance-view, vmss list, disk list, snapshot list', AZ_READ),
      ...sameFor(
        'aks list, aks show, aks nodepool list, acr list, acr show, network vnet list, network nsg list',
        AZ_READ,
      ),
      ...sameFor('network nic list, network public-ip list, network lb list, network nsg rule list', AZ_READ),
      ...sameFor('storage account list, storage account show, sql server list, sql db list, keyvault list', AZ_READ),
      ...sameFor(
        'keyvault secret list, monitor activity-log list, role assignment list, ad signed-in-user show',
        AZ_READ,
      ),
      ...sameFor('keyvault secret show, account get-access-token, storage account keys list, acr credential show', {
        class: 'READ_ONLY',
        tier: 2,
        does: 'prints a secret',
      }),
    },
  },
  {
    names: ['doctl'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'works on a cloud account',
    options: { networkTo: '-u --api-url --context', identifies: '-t --access-token', executes: '-c --config' },
    subcommands: {
      version: { class: 'READ_ONLY', does: 'prints its version', operands: 'none' },
      ...sameFor(
        'compute droplet list, compute droplet get, compute region list, compute domain list',
        read('reads from the account'),
      ),
      ...sameFor(
        'account get, projects list, kubernetes cluster list, databases list, compute volume list',
        read('reads from the account'),
      ),
    },
  },
  {
    names: ['flyctl', 'fly'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'works on a cloud account',
    options: { identifies: '-t --access-token' },
    subcommands: {
      ...sameFor(
        'status, logs, apps list, machine list, machines list, regions list, version',
        read('reads from the account'),
      ),
      ...sameFor(
        'secrets list, volumes list, ips list, certs list, scale show, checks list',
        read('reads from the account'),
      ),
    },
  },
  {
    names: ['heroku'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'works on a cloud account',
    subcommands: {
      ...sameFor('apps, ps, releases, logs, status, addons, domains, version, regions', {
        ...read('reads from the account'),
        options: { plain: '--json -t --tail', value: '-a --app -n --num -p --ps -d --dyno -s --source' },
        operands: 'none',
      }),
    },
  },
  {
    names: [
      'gsutil',
      'bq',
      'vercel',
      'netlify',
      'wrangler',
      'ibmcloud',
      'oci',
      'openstack',
      'linode-cli',
      'hcloud',
      'eksctl',
      'sam',
      'cdk',
    ],
    class: 'UNKNOWN',
    does: 'works on a cloud account',
  },
];
