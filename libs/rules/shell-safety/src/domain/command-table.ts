import type { ProgramRow } from './program-row.js';
import { ReadyRow } from './ready-row.js';
import { ACCOUNT_PROGRAMS } from './table/accounts.js';
import { ARCHIVE_PROGRAMS } from './table/archives.js';
import { AWS_PROGRAMS } from './table/aws.js';
import { BUILD_PROGRAMS } from './table/build.js';
import { BUILTIN_PROGRAMS } from './table/builtins.js';
import { CLOUD_PROGRAMS } from './table/cloud.js';
import { CONTAINER_PROGRAMS } from './table/containers.js';
import { CRYPTO_PROGRAMS } from './table/crypto.js';
import { DATA_PROGRAMS } from './table/data.js';
import { DATABASE_PROGRAMS } from './table/databases.js';
import { DEVICE_PROGRAMS } from './table/devices.js';
import { FILE_CHANGE_PROGRAMS } from './table/file-changes.js';
import { FILE_PROGRAMS } from './table/files.js';
import { FILTER_PROGRAMS } from './table/filters.js';
import { FIREWALL_PROGRAMS } from './table/firewall.js';
import { FORGE_PROGRAMS } from './table/forges.js';
import { GIT_PROGRAMS } from './table/git.js';
import { HOST_PROGRAMS } from './table/host.js';
import { INFRASTRUCTURE_PROGRAMS } from './table/infrastructure.js';
import { INTERPRETER_PROGRAMS } from './table/interpreters.js';
import { KUBECTL_PROGRAMS } from './table/kubectl.js';
import { KUBERNETES_PROGRAMS } from './table/kubernetes.js';
import { LANGUAGE_PACKAGE_PROGRAMS } from './table/language-packages.js';
import { LOG_PROGRAMS } from './table/logs.js';
import { MACOS_PROGRAMS } from './table/macos.js';
import { NETWORK_PROGRAMS } from './table/network.js';
import { NODE_PACKAGE_PROGRAMS } from './table/node-packages.js';
import { PACKAGE_PROGRAMS } from './table/packages.js';
import { PAGER_PROGRAMS } from './table/pagers.js';
import { PROBE_PROGRAMS } from './table/probes.js';
import { PROCESS_PROGRAMS } from './table/processes.js';
import { SEARCH_PROGRAMS } from './table/search.js';
import { SERVICE_PROGRAMS } from './table/services.js';
import { TEXT_PROGRAMS } from './table/text.js';
import { TRANSFER_PROGRAMS } from './table/transfer.js';
import { VIRTUALIZATION_PROGRAMS } from './table/virtualization.js';
import { VOLUME_PROGRAMS } from './table/volumes.js';
import { WRAPPER_PROGRAMS } from './table/wrappers.js';

export const FAMILIES: readonly (readonly ProgramRow[])[] = [
  ACCOUNT_PROGRAMS,
  ARCHIVE_PROGRAMS,
  AWS_PROGRAMS,
  BUILD_PROGRAMS,
  BUILTIN_PROGRAMS,
  CLOUD_PROGRAMS,
  CONTAINER_PROGRAMS,
  CRYPTO_PROGRAMS,
  DATA_PROGRAMS,
  DATABASE_PROGRAMS,
  DEVICE_PROGRAMS,
  FILE_CHANGE_PROGRAMS,
  FILE_PROGRAMS,
  FILTER_PROGRAMS,
  FIREWALL_PROGRAMS,
  FORGE_PROGRAMS,
  GIT_PROGRAMS,
  HOST_PROGRAMS,
  INFRASTRUCTURE_PROGRAMS,
  INTERPRETER_PROGRAMS,
  KUBECTL_PROGRAMS,
  KUBERNETES_PROGRAMS,
  LANGUAGE_PACKAGE_PROGRAMS,
  LOG_PROGRAMS,
  MACOS_PROGRAMS,
  NETWORK_PROGRAMS,
  NODE_PACKAGE_PROGRAMS,
  PACKAGE_PROGRAMS,
  PAGER_PROGRAMS,
  PROBE_PROGRAMS,
  PROCESS_PROGRAMS,
  SEARCH_PROGRAMS,
  SERVICE_PROGRAMS,
  TEXT_PROGRAMS,
  TRANSFER_PROGRAMS,
  VIRTUALIZATION_PROGRAMS,
  VOLUME_PROGRAMS,
  WRAPPER_PROGRAMS,
];

/** The command table: every row by each of its names, ready to read calls. A name stands in one row only; a test holds that. */
export type CommandTable = ReadonlyMap<string, ReadyRow>;

export function joinTable(families: readonly (readonly ProgramRow[])[]): CommandTable {
  const rows = families.flat().map((row) => new ReadyRow(row));
  return new Map(rows.flatMap((ready) => ready.row.names.map((name) => [name, ready] as const)));
}

export const COMMAND_TABLE: CommandTable = joinTable(FAMILIES);
