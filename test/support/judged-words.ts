export const TOOLS: readonly { readonly tool: string; readonly keys: readonly string[] }[] = [
  { tool: 'execute_rollout_prod', keys: ['image', 'targets'] },
  { tool: 'restart_service', keys: ['service', 'targets'] },
  { tool: 'restart_service', keys: ['drain', 'service', 'targets'] },
  { tool: 'rotate_secret', keys: ['secret', 'service'] },
  { tool: 'scale_cluster', keys: ['cluster', 'replicas'] },
  { tool: 'update_firewall_rule', keys: ['cidr', 'rule', 'targets'] },
  { tool: 'drain_node', keys: ['grace_seconds', 'targets'] },
  { tool: 'resize_volume', keys: ['size_gb', 'targets', 'volume'] },
  { tool: 'patch_kernel', keys: ['reboot', 'targets'] },
  { tool: 'patch_kernel', keys: ['targets'] },
];
export const ENVIRONMENTS = ['production', 'staging', 'production-eu', 'development'];
export const SERVICES = [
  'payments',
  'checkout',
  'ledger',
  'search',
  'catalog',
  'gateway',
  'mailer',
  'billing',
  'invoices',
  'sessions',
];
/** The stored form, another form of the same word, and the same word with a typing error. */
export const VERBS = [
  ['Replacing', 'replaced', 'relpacing'],
  ['Restarting', 'restarts', 'restrating'],
  ['Patching', 'patched', 'pacthing'],
  ['Draining', 'drained', 'darining'],
  ['Rotating', 'rotated', 'rotaitng'],
  ['Resizing', 'resized', 'reszing'],
] as const;
export const OBJECTS = [
  ['certificates', 'certificate', 'certifciates'],
  ['replicas', 'replica', 'repilcas'],
  ['connections', 'connecting', 'conections'],
  ['caches', 'caching', 'cahces'],
  ['credentials', 'credential', 'credentails'],
  ['partitions', 'partitioned', 'partitons'],
  ['listeners', 'listening', 'listenres'],
  ['snapshots', 'snapshot', 'snaphsots'],
] as const;
export const REASONS = [
  ['after the renewal failed', 'renewals failing'],
  ['because latency exceeded its budget', 'exceeding latency budgets'],
  ['since the audit demanded it', 'demanded by auditing'],
  ['before the weekend traffic arrives', 'arriving weekend traffic'],
  ['while dashboards were red', 'red dashboard'],
] as const;
export const ROLES = ['web', 'db', 'edge', 'queue'];
export const PLACES = ['fra', 'ams', 'dub'];
export const ENDS = ['completed', 'completed', 'completed', 'rolled_back', 'denied', 'expired'];
