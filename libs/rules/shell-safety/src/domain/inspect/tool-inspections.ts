import type { Inspect } from '../inspection.js';
import { awsParameterFiles } from './aws.js';
import { containerDetails } from './container-details.js';
import { jqProgram } from './jq.js';
import { kubectlSecrets } from './kubectl.js';
import { namedHost, namedRepositoryHost } from './named-host.js';
import { plainNames } from './plain-names.js';
import { pveshPath } from './pvesh.js';
import { registryNames } from './registry-names.js';
import { git, gitSettings } from './git.js';
import { gitCheckout, gitConfig } from './settings.js';
import { needsMode, operandsNeedMode } from './modes.js';

/** `rpm -i file` installs, `rpm -qi name` asks, and `rpm -qp` reads an address as well. */
const rpmMode = needsMode('-q --query --version', {
  kind: 'effect',
  class: 'WRITE',
  code: 'shell.writes_by_option',
  does: 'changes the packages, since -q is missing',
});

/** The inspections of development and operation tools, by the name that their rows give. */
export const TOOL_INSPECTIONS: Readonly<Record<string, Inspect>> = {
  'named-host': namedHost,
  'named-repository-host': namedRepositoryHost,
  'git-branch': operandsNeedMode(
    '-l --list --contains --no-contains --merged --no-merged --points-at',
    0,
    'creates a branch',
  ),
  'git-tag': operandsNeedMode(
    '-l --list --contains --no-contains --merged --no-merged --points-at -n',
    0,
    'creates a tag',
  ),
  'git-checkout': gitCheckout,
  git,
  'git-config': (words, row, call) => [...gitConfig(words, row, call), ...gitSettings(words, row, call)],
  'git-settings': gitSettings,
  'git-symbolic-ref': operandsNeedMode('', 1, 'changes a reference'),
  'aws-parameter-files': awsParameterFiles,
  'container-details': containerDetails,
  'jq-program': jqProgram,
  'kubectl-secrets': kubectlSecrets,
  'plain-names': plainNames,
  'pvesh-path': pveshPath,
  'registry-names': registryNames,
  'rpm-query': (words, row, call) => [...rpmMode(words, row, call), ...namedHost(words, row, call)],
  'terraform-fmt': needsMode('-check', {
    kind: 'effect',
    class: 'WRITE',
    code: 'shell.writes_in_place',
    does: 'rewrites files, since -check is missing',
  }),
};
