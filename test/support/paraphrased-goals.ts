import type { InventedPrecedent } from './precedent-rows.js';

/** Goals as people write them, each with a question that means the same in other words. */
const GOALS = [
  ['Renew the TLS certificate of the web shop', 'swap an expiring x509 of our storefront'],
  ['Bounce the broker nodes one at a time', 'restart each message queue server in turn'],
  ['Add 200 GB to the disk that holds the orders database', 'the order storage is almost full, give it more room'],
  ['Change the password of the mail relay account', 'new SMTP credentials'],
  ['Block the crawler that floods the price pages', 'ban a bot hammering our listings'],
  ['Move traffic away from the Frankfurt site', 'send visitors to another region'],
  ['Bring back the previous build of the basket', 'roll the cart back to the release before'],
  ['Delete accounts that nobody used for two years', 'purge dormant users'],
  ['Give the new analyst read access to the warehouse', 'let a colleague query reporting data'],
  ['Shorten how long audit trails are kept on disk', 'reduce log retention'],
  ['Rebuild the product index from scratch', 'reindex all articles for lookup'],
  ['Turn off the experiment on the sign-up form', 'disable a feature flag for registration'],
  ['Upgrade the kernel of the hypervisors', 'patch the operating system of virtual machine hosts'],
  ['Raise the number of workers that print labels', 'scale out shipping stickers'],
  ['Correct wrong taxes on bills of October', 'fix VAT in last month’s invoices'],
  ['Copy production data to the test system, without names', 'anonymised dump for staging'],
  ['Empty the dead letters of the shipment events', 'discard undeliverable messages'],
  ['Reset second factors of an engineer who lost a phone', 'somebody cannot log in since their authenticator is gone'],
  ['Open port 5432 for the consultant', 'firewall exception to reach Postgres from outside'],
  ['Fail over to the replica before the maintenance', 'promote the standby'],
  ['Warm the caches ahead of the sale', 'preload hot entries before Black Friday'],
  ['Throttle imports of the slow supplier', 'limit the rate at which a vendor feeds us'],
  ['Encrypt the backups that lie in the bucket', 'protect archived snapshots with a key'],
  ['Retire the old payment provider', 'decommission the legacy card processor'],
] as const;

/** Two dozen precedents of equal structure, and a question about each that shares few of its words, or none. */
export const paraphrasedGoals: readonly {
  readonly precedent: InventedPrecedent & { readonly id: string };
  readonly ask: string;
}[] = GOALS.map(([goal, ask], index) => ({
  ask,
  precedent: {
    id: `01900000-0000-7000-8000-${String(50_000 + index).padStart(12, '0')}`,
    goal,
    // The structure says nothing.
    ...{ tools: ['run_playbook'], environment: 'production', arguments: ['playbook'], targets: [] },
  },
}));
