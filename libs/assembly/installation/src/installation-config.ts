import { join } from 'node:path';
import { dataDirectory } from '#lib/database';
import { wrongSetting } from '#lib/kernel';
import { OFFER_TRIES } from '#lib/run';
import { isBare } from './is-bare.js';
import { integerSetting } from './integer-setting.js';
import { textSetting } from './text-setting.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that every process of one installation has to agree on. */
export interface InstallationConfig {
  /** The address of Countersign for tool servers and people; the issuer of its grants. No slash at the end. */
  readonly publicUrl: string;
  /** Hosts that may have private addresses: `host` or `host:port`, or only for one tenant `slug=host` or `slug=host:port`. */
  readonly allowedPrivateHosts: readonly string[];
  /** The folder of private signing keys, and of the keyring unless that is named. */
  readonly keyDirectory: string;
  /** The keyring of master keys that several machines share; null for this machine's own. */
  readonly keyringFile: string | null;
  /** Multiplies the waits between batches; 1 but in a demonstration, and a run says so if it is not. */
  readonly demoWaitScale: number;
  /** The wait for a tool's answer beyond the tool's time limit. After it, the worker that waits counts as lost. */
  readonly leaseMarginMs: number;
  /**
   * How long a call is offered to the runners of its pool. Also the sum of a step's pauses between such offers; both in
   * milliseconds.
   */
  readonly runnerWait: { readonly offerMs: number; readonly pausesMs: number };
  /** Slack, or a local server that stands for it. No slash at the end. */
  readonly slackUrl: string;
  /** The server that sends mails, with its credentials, and their sender; null if none are sent. */
  readonly mail: { readonly url: string; readonly from: string } | null;
}

const DEFAULT_PORT = 8_420;

const LEASE_MARGIN_MS = 15_000;

/** How long a step of a run waits for a runner, before the run pauses. */
const RUNNER_WAIT_MS = 120_000;
/** The longest offer: a worker waits with it. */
const MAX_OFFER_MS = 15_000;

/** A tenant's slug and `=`, if any; a host, an IPv6 address without brackets as well; a port, if any. */
const PRIVATE_HOST = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?=)?[A-Za-z0-9.:_-]+$/;

/**
 * Reads `COUNTERSIGN_PUBLIC_URL` (if it is not set, `COUNTERSIGN_PORT` on this machine),
 * `COUNTERSIGN_ALLOWED_PRIVATE_HOSTS`, `COUNTERSIGN_KEYRING`, `COUNTERSIGN_DATA`, `COUNTERSIGN_LEASE_MARGIN_MS`,
 * `COUNTERSIGN_RUNNER_WAIT_MS`, `COUNTERSIGN_SLACK_URL`, `COUNTERSIGN_SMTP_URL` and `COUNTERSIGN_MAIL_FROM`.
 * `COUNTERSIGN_DEMO_WAIT_SCALE` is read only beside `COUNTERSIGN_DEMO=1`: outside a demonstration a wait lasts as long
 * as approved.
 *
 * @param root the package root, under which the data folder is kept unless a setting names another.
 * @throws {FailureError} `start.wrong_setting`, naming the variable that is wrong.
 */
export function installationConfigFrom(environment: Environment, root: string): InstallationConfig {
  return {
    publicUrl: publicUrlOf(textSetting(environment, 'COUNTERSIGN_PUBLIC_URL') ?? localUrlOf(environment)),
    allowedPrivateHosts: privateHostsOf(environment.COUNTERSIGN_ALLOWED_PRIVATE_HOSTS ?? ''),
    keyDirectory: join(dataDirectory(environment, root), 'keys'),
    keyringFile: environment.COUNTERSIGN_KEYRING ?? null,
    demoWaitScale: environment.COUNTERSIGN_DEMO === '1' ? demoWaitScaleOf(environment.COUNTERSIGN_DEMO_WAIT_SCALE) : 1,
    leaseMarginMs: integerSetting(environment, 'COUNTERSIGN_LEASE_MARGIN_MS', LEASE_MARGIN_MS, [100, 600_000]),
    runnerWait: runnerWaitOf(
      integerSetting(environment, 'COUNTERSIGN_RUNNER_WAIT_MS', RUNNER_WAIT_MS, [1_000, 86_400_000]),
    ),
    slackUrl: slackUrlOf(environment.COUNTERSIGN_SLACK_URL),
    mail: mailOf(environment.COUNTERSIGN_SMTP_URL, environment.COUNTERSIGN_MAIL_FROM),
  };
}

/** Splits the wait of a step into offers, each at most an eighth of it, and the pauses between them. */
function runnerWaitOf(waitMs: number): InstallationConfig['runnerWait'] {
  const offerMs = Math.min(MAX_OFFER_MS, Math.floor(waitMs / 8));
  return { offerMs, pausesMs: waitMs - OFFER_TRIES * offerMs };
}

function privateHostsOf(text: string): readonly string[] {
  const entries = text.split(',').flatMap((entry) => entry.trim() || []);
  const wrong = entries.find((entry) => !PRIVATE_HOST.test(entry));
  if (wrong === undefined) return entries;
  throw wrongSetting(
    `COUNTERSIGN_ALLOWED_PRIVATE_HOSTS lists host or host:port, or tenant=host or tenant=host:port for one tenant alone; "${wrong}" is neither.`,
  );
}

/**
 * The address of the api on this machine, by the name that browsers give passkeys to. A worker that runs by itself needs the setting of
 * the port, too, or of the public address.
 */
function localUrlOf(environment: Environment): string {
  const port = integerSetting(environment, 'COUNTERSIGN_PORT', DEFAULT_PORT, [0, 65_535]);
  return `http://localhost:${String(port === 0 ? DEFAULT_PORT : port)}`;
}

function publicUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || !isBare(url)) {
    throw wrongSetting('COUNTERSIGN_PUBLIC_URL must be an http or https address without user, query or fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

/** Tokens and secrets go there: in the clear only to this machine. */
function slackUrlOf(text: string | undefined): string {
  if (text === undefined || text === '') return 'https://slack.com';
  const url = URL.canParse(text) ? new URL(text) : null;
  const local = url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url === null || (url.protocol !== 'https:' && !local) || !isBare(url)) {
    throw wrongSetting(
      'COUNTERSIGN_SLACK_URL must be an https address, or an http one of this machine, without user, query or fragment.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

function mailOf(url: string | undefined, from: string | undefined): InstallationConfig['mail'] {
  if (url === undefined || url === '') return null;
  if (!URL.canParse(url) || !['smtp:', 'smtps:'].includes(new URL(url).protocol)) {
    throw wrongSetting('COUNTERSIGN_SMTP_URL must be an address such as smtps://user:password@mail.example:465.');
  }
  if (from === undefined || !/^[^@\s<>]+@[^@\s<>]+$/.test(from)) {
    throw wrongSetting(
      'COUNTERSIGN_MAIL_FROM must be the mail address that mails are from, if COUNTERSIGN_SMTP_URL is set.',
    );
  }
  return { url, from };
}

function demoWaitScaleOf(text: string | undefined): number {
  if (text === undefined || text === '') return 1;
  const scale = Number(text);
  if (scale > 0 && scale <= 1) return scale;
  throw wrongSetting(
    'COUNTERSIGN_DEMO_WAIT_SCALE must be a number above 0 and at most 1; leave it out but in a demonstration.',
  );
}
