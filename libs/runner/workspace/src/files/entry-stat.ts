import { ownMember } from '#lib/canonical';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { said } from '../domain/workspace-path.js';

export type EntryKind = 'file' | 'folder' | 'symlink' | 'special';

export interface EntryStat {
  readonly kind: EntryKind;
  /** Permissions, with the set-id and sticky bits. */
  readonly mode: number;
  readonly size: number;
  /** Names of the same file. A file with a second name may have it outside the root. */
  readonly links: number;
  readonly device: bigint;
  readonly mtimeNs: bigint;
}

/** @throws {ToolRefusal} unless the entry is an ordinary file that no name outside the root can have. */
export function requireFile(
  stat: EntryStat | null,
  name: string,
  device: bigint | null,
  linked = false,
): asserts stat is EntryStat {
  if (stat === null) throw notFound(name);
  if (stat.kind === 'symlink') throw symbolicLink(name);
  if (stat.kind === 'folder') throw new ToolRefusal('workspace.not_a_file', `${said(name)} is a folder.`);
  if (stat.kind === 'special') {
    throw new ToolRefusal(
      'workspace.not_a_file',
      `${said(name)} is a pipe, socket or device. Tools use ordinary files alone.`,
    );
  }
  if (device !== null && stat.device !== device) throw otherFilesystem(name);
  if (stat.links > 1 && !linked) {
    throw new ToolRefusal(
      'workspace.hard_link',
      `${said(name)} has a second name, possibly outside the workspace. Copy it first.`,
    );
  }
}

export const tooLarge = (name: string, most: number): ToolRefusal =>
  new ToolRefusal(
    'workspace.file_too_large',
    `${said(name)} has more than ${String(most)} bytes, the limit of a tool.`,
  );
const notFound = (name: string): ToolRefusal => new ToolRefusal('workspace.not_found', `${said(name)} does not exist.`);
export const symbolicLink = (name: string): ToolRefusal =>
  new ToolRefusal(
    'workspace.symlink',
    `${said(name)} is a symbolic link, and tools follow none. Name the file itself.`,
  );
export const otherFilesystem = (name: string): ToolRefusal =>
  new ToolRefusal('workspace.other_filesystem', `${said(name)} is on another filesystem, mounted into the workspace.`);

const REFUSALS: Readonly<Record<string, (name: string) => ToolRefusal>> = {
  ENOENT: notFound,
  ELOOP: symbolicLink,
  ENOTDIR: (name) => new ToolRefusal('workspace.not_a_folder', `${said(name)} is no folder.`),
  EISDIR: (name) => new ToolRefusal('workspace.not_a_file', `${said(name)} is a folder.`),
  EEXIST: (name) => new ToolRefusal('workspace.exists', `${said(name)} exists already. Choose another name.`),
  ENOTEMPTY: (name) => new ToolRefusal('workspace.not_empty', `${said(name)} is a folder that is not empty.`),
  EACCES: (name) => new ToolRefusal('workspace.no_permission', `The runner has no permission for ${said(name)}.`),
  EPERM: (name) => new ToolRefusal('workspace.no_permission', `The runner has no permission for ${said(name)}.`),
  ENXIO: (name) => new ToolRefusal('workspace.not_a_file', `${said(name)} is a socket or device.`),
};

/** The code of an error of the filesystem, or an empty text. */
export const codeOf = (problem: unknown): string =>
  problem instanceof Error && 'code' in problem && typeof problem.code === 'string' ? problem.code : '';

/** The refusal that an error of the filesystem stands for; the error itself if it stands for none. */
export const refusalOf = (problem: unknown, name: string): unknown =>
  ownMember(REFUSALS, codeOf(problem))?.(name) ?? problem;
