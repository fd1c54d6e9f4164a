import type { ProgramRow } from '../program-row.js';
import { sameFor } from './same-for.js';

const USAGE = { class: 'READ_ONLY', does: 'prints its version or usage', operands: 'none' } as const;

/**
 * Tools that describe machines and services as files. The reads of terraform start provider plugins of the folder `.terraform`, which
 * is in the workspace. Its plan also executes `external` data sources of the files, and the state keeps secrets in plain text.
 */
export const INFRASTRUCTURE_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['terraform', 'tofu'],
    style: 'single_dash',
    ...USAGE,
    options: { plain: '-help -h -version -v', reads: '-chdir' },
    subcommands: {
      version: { class: 'READ_ONLY', does: 'prints its version', options: { plain: '-json' }, operands: 'none' },
      // A lock file's providers are in the workspace, so that anybody who writes there chooses the programs. OpenTofu's files may name a
      // program for the keys of the state, which even a list of it starts.
      ...sameFor(
        'validate, show, graph, providers, providers schema, state show, state list, workspace list, workspace show',
        {
          class: 'UNKNOWN',
          does: 'starts programs that the workspace holds or names',
          operands: 'reads',
        },
      ),
      fmt: {
        class: 'READ_ONLY',
        does: 'says which files are not formatted',
        // Each may have `=true` or `=false`; -check=false would write.
        options: { plain: '-check -diff -recursive -no-color', optional: '-list' },
        operands: 'reads',
        inspect: 'terraform-fmt',
      },
      ...sameFor('output, state pull', {
        class: 'READ_ONLY',
        tier: 2,
        does: 'prints values of the state, secrets included',
      }),
      ...sameFor('plan, refresh, test, console, import', {
        class: 'UNKNOWN',
        does: 'executes providers and programs that the files name',
      }),
      ...sameFor('init, get, login, logout, providers lock, providers mirror', {
        class: 'NETWORK',
        does: 'fetches providers and modules',
        options: { executes: '-plugin-dir -from-module -backend-config' },
      }),
      apply: {
        class: 'WRITE',
        does: 'changes what the files describe',
        options: { destroys: '-destroy -auto-approve' },
      },
      destroy: { class: 'DESTRUCTIVE', does: 'destroys what the files describe' },
      ...sameFor('state rm, state push, workspace delete', {
        class: 'DESTRUCTIVE',
        does: 'deletes or replaces the state',
      }),
      ...sameFor('state mv, state replace-provider, taint, untaint, force-unlock, workspace new, workspace select', {
        class: 'WRITE',
        does: 'changes the state',
      }),
    },
  },
  {
    names: [
      'terragrunt',
      'pulumi',
      'packer',
      'vagrant',
      'salt',
      'salt-call',
      'puppet',
      'chef-client',
      'nomad',
      'boundary',
    ],
    class: 'UNKNOWN',
    does: 'executes what its files describe',
    subcommands: {
      version: { class: 'READ_ONLY', does: 'prints its version', operands: 'none' },
    },
  },
  {
    names: ['ansible', 'ansible-playbook', 'ansible-pull', 'ansible-console', 'ansible-galaxy', 'ansible-runner'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'executes tasks on machines',
    options: { executes: '-m --module-name -a --args -M --module-path --vault-password-file --become-password-file' },
  },
  // An inventory can be a program, and a vault file holds secrets.
  {
    names: ['ansible-inventory', 'ansible-config', 'ansible-lint', 'ansible-vault', 'ansible-doc'],
    class: 'UNKNOWN',
    does: 'reads an inventory or secrets',
  },
  {
    names: ['vault', 'bao'],
    style: 'single_dash',
    class: 'UNKNOWN',
    does: 'reads or writes secrets',
    subcommands: {
      ...sameFor('status, version', {
        class: 'READ_ONLY',
        does: 'says whether the vault is open',
        options: { value: '-format' },
        operands: 'none',
        network: true,
      }),
      ...sameFor('read, kv get, list, kv list, print token, token lookup', {
        class: 'READ_ONLY',
        tier: 2,
        does: 'reads secrets',
      }),
      ...sameFor('write, kv put, kv patch, policy write, auth enable, secrets enable', {
        class: 'WRITE',
        does: 'changes the vault',
      }),
      ...sameFor('delete, kv delete, kv destroy, kv metadata delete, secrets disable, auth disable, lease revoke', {
        class: 'DESTRUCTIVE',
        does: 'deletes secrets',
      }),
    },
  },
  {
    names: ['consul'],
    style: 'single_dash',
    class: 'UNKNOWN',
    does: 'works on a cluster of Consul',
    subcommands: {
      ...sameFor('members, version, catalog services, catalog nodes, operator raft list-peers', {
        class: 'READ_ONLY',
        does: 'lists members and services',
        options: { plain: '-detailed -wan -stale', value: '-status -format -service' },
        operands: 'none',
        network: true,
      }),
    },
  },
];
