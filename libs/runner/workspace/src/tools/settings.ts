import type { ProgramSettings } from '../programs/run-script.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import type { Turns } from './turns.js';

/** Fetches an address, past the rules for outbound addresses: no private host, no redirect. */
export type FetchPort = (url: string, options: { readonly signal: AbortSignal }) => Promise<Response>;

/** The parts that the runner gives to the workspace tools. */
export interface WorkspaceSettings {
  readonly snapshots: Snapshots;
  /** Shared with all else that changes the workspace. */
  readonly turns: Turns;
  readonly guardedFetch: FetchPort;
  readonly programs: ProgramSettings;
  /** The scripts of package.json that run after each write. */
  readonly checks: readonly string[];
  /** The author and committer of a commit. */
  readonly author: { readonly name: string; readonly email: string };
  readonly platform: NodeJS.Platform;
}

/** The time limit of a tool, in seconds. */
export const TOOL_SECONDS = 15;
/** The time limit of web-fetch, in seconds. */
export const FETCH_SECONDS = 30;
