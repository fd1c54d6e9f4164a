import type { Behaviour, ProgramRow } from '../program-row.js';
import { sameFor } from './same-for.js';

/** Filters that the operations share. Each selects, and none changes anything. */
const SELECTORS =
  '--filters --filter --max-items --page-size --starting-token --max-results --next-token --limit --name --names ' +
  '--instance-ids --instance-id --volume-ids --snapshot-ids --image-ids --owners --owner-ids --vpc-ids --subnet-ids --group-ids ' +
  '--group-names --key-names --network-interface-ids --allocation-ids --region-names --db-instance-identifier ' +
  '--db-cluster-identifier --cluster --clusters --services --service --tasks --cluster-name --nodegroup-name --task-definition ' +
  '--family-prefix --stack-name --logical-resource-id --function-name --qualifier --bucket --prefix --delimiter --key --role-name ' +
  '--user-name --policy-arn --policy-name --version-id --group-name --scope --path-prefix --load-balancer-arns ' +
  '--load-balancer-arn --target-group-arn --target-group-arns --listener-arns --log-group-name --log-group-name-prefix ' +
  '--log-group-names --log-stream-name --log-stream-name-prefix --start-time --end-time --filter-pattern --order-by --namespace ' +
  '--metric-name --dimensions --period --statistics --statistic --unit --alarm-names --state-value --table-name --queue-url ' +
  '--queue-name-prefix --attribute-names --topic-arn --hosted-zone-id --id --ids --certificate-arn --repository-name ' +
  '--repository-names --auto-scaling-group-names --key-id --trail-name --lookup-attributes --time-period --granularity --metrics ' +
  '--group-by --resource-arn --resource-arns --tag-filters --resource-type-filters --service-namespace --secret-id --parameter-filters ' +
  '--desired-status --launch-type --rest-api-id --arn --query-id --include --type --attributes';

/** An operation is listed only if it changes nothing and answers no secret. One that is not listed asks a person. */
const read = (does: string): Behaviour => ({
  class: 'READ_ONLY',
  does,
  options: {
    plain:
      '--descending --no-descending --no-start-from-head --start-from-head --include-public --recursive ' +
      '--human-readable --summarize --include-deprecated --no-include-deprecated --dry-run --follow --help ' +
      '--no-with-decryption --all-availability-zones --include-all-instances --no-include-all-instances',
    value: `${SELECTORS} --since --format`,
  },
  operands: 'any',
  network: true,
  inspect: 'aws-parameter-files',
});

function operations(service: string, names: string, does = 'reads from the account'): Record<string, Behaviour> {
  return sameFor(
    names
      .split(' ')
      .map((name) => `${service} ${name}`)
      .join(','),
    read(does),
  );
}

const READS: Readonly<Record<string, Behaviour>> = {
  ...operations(
    'ec2',
    'describe-instances describe-instance-status describe-instance-types describe-volumes describe-volume-status ' +
      'describe-snapshots describe-images describe-vpcs describe-subnets describe-security-groups describe-security-group-rules ' +
      'describe-route-tables describe-network-interfaces describe-network-acls describe-internet-gateways describe-nat-gateways ' +
      'describe-addresses describe-key-pairs describe-regions describe-availability-zones describe-tags ' +
      'describe-vpc-endpoints describe-vpc-peering-connections describe-transit-gateways describe-flow-logs ' +
      'describe-launch-templates describe-spot-price-history describe-reserved-instances describe-account-attributes ' +
      'get-console-output',
  ),
  ...operations(
    'iam',
    'list-users list-roles list-groups list-policies list-attached-role-policies list-attached-user-policies ' +
      'list-attached-group-policies list-role-policies list-user-policies list-group-policies list-groups-for-user ' +
      'list-instance-profiles list-access-keys list-mfa-devices list-account-aliases list-entities-for-policy ' +
      'list-policy-versions list-open-id-connect-providers list-saml-providers get-user get-role get-group get-policy ' +
      'get-policy-version get-role-policy get-user-policy get-group-policy get-instance-profile get-account-summary ' +
      'get-account-password-policy get-access-key-last-used',
  ),
  ...operations('sts', 'get-caller-identity', 'names the identity that signs in'),
  ...operations('s3', 'ls', 'lists buckets and objects'),
  ...operations(
    's3api',
    'list-buckets list-objects list-objects-v2 list-object-versions list-multipart-uploads head-bucket head-object ' +
      'get-bucket-location get-bucket-policy get-bucket-policy-status get-bucket-acl get-bucket-versioning ' +
      'get-bucket-encryption get-bucket-lifecycle-configuration get-bucket-logging get-bucket-tagging get-bucket-cors ' +
      'get-bucket-website get-bucket-replication get-bucket-notification-configuration get-public-access-block ' +
      'get-object-acl get-object-tagging get-object-attributes',
  ),
  ...operations(
    'rds',
    'describe-db-instances describe-db-clusters describe-db-snapshots describe-db-cluster-snapshots ' +
      'describe-db-subnet-groups describe-db-parameter-groups describe-db-parameters describe-events ' +
      'describe-db-engine-versions describe-db-log-files describe-pending-maintenance-actions',
  ),
  ...operations(
    'ecs',
    'list-clusters list-services list-tasks list-task-definitions list-container-instances describe-clusters ' +
      'describe-services describe-tasks describe-container-instances',
  ),
  ...operations(
    'eks',
    'list-clusters list-nodegroups list-addons list-fargate-profiles describe-cluster describe-nodegroup describe-addon ' +
      'describe-update',
  ),
  ...operations(
    'ecr',
    'describe-repositories describe-images list-images describe-image-scan-findings get-lifecycle-policy',
  ),
  ...operations('lambda', 'list-aliases list-versions-by-function list-event-source-mappings list-layers get-policy'),
  ...operations(
    'cloudformation',
    'list-stacks describe-stacks describe-stack-events describe-stack-resources describe-stack-resource ' +
      'list-stack-resources list-exports list-change-sets describe-change-set get-template-summary',
  ),
  ...operations(
    'cloudwatch',
    'describe-alarms describe-alarm-history list-metrics get-metric-statistics list-dashboards get-dashboard',
  ),
  ...operations(
    'logs',
    'describe-log-groups describe-log-streams filter-log-events get-log-events tail get-query-results',
  ),
  ...operations(
    'elbv2',
    'describe-load-balancers describe-target-groups describe-target-health describe-listeners describe-rules describe-tags',
  ),
  ...operations('elb', 'describe-load-balancers describe-instance-health describe-tags'),
  ...operations(
    'autoscaling',
    'describe-auto-scaling-groups describe-auto-scaling-instances describe-scaling-activities describe-policies',
  ),
  ...operations(
    'route53',
    'list-hosted-zones list-hosted-zones-by-name list-resource-record-sets get-hosted-zone get-change list-health-checks',
  ),
  ...operations(
    'dynamodb',
    'list-tables describe-table describe-continuous-backups list-backups describe-time-to-live',
  ),
  ...operations('sqs', 'list-queues get-queue-attributes get-queue-url'),
  ...operations('sns', 'list-topics list-subscriptions list-subscriptions-by-topic get-topic-attributes'),
  ...operations('acm', 'list-certificates describe-certificate'),
  ...operations('kms', 'list-keys list-aliases describe-key get-key-policy get-key-rotation-status list-grants'),
  ...operations('secretsmanager', 'list-secrets describe-secret list-secret-version-ids'),
  ...operations(
    'ssm',
    'describe-parameters describe-instance-information list-commands list-documents describe-document',
  ),
  ...operations('cloudtrail', 'lookup-events describe-trails get-trail-status list-trails'),
  ...operations('cloudfront', 'list-invalidations'),
  ...operations('elasticache', 'describe-cache-clusters describe-replication-groups describe-events'),
  ...operations('organizations', 'list-accounts describe-organization list-roots describe-account'),
  ...operations('ce', 'get-cost-and-usage get-cost-forecast get-dimension-values'),
  ...operations('health', 'describe-events describe-event-details'),
  ...operations('resourcegroupstaggingapi', 'get-resources get-tag-keys get-tag-values'),
  ...operations('service-quotas', 'list-service-quotas get-service-quota list-services'),
  ...operations('configure', 'list list-profiles', 'lists settings, with keys masked'),
};

/** Everything else of a service changes it, costs money, or may answer a secret. */
export const AWS_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['aws'],
    style: 'gnu',
    class: 'READ_ONLY',
    does: 'prints its version',
    options: {
      plain: '--version --no-cli-pager --no-cli-auto-prompt --no-paginate',
      value: '--region --output --query --color --cli-read-timeout --cli-connect-timeout',
      networkTo: '--endpoint-url --ca-bundle',
      identifies: '--profile',
      network: '--no-verify-ssl --no-sign-request --debug --cli-auto-prompt',
    },
    operands: 'none',
    subcommands: {
      ...READS,
      ...sameFor('s3 cp, s3 sync, s3 mv, s3 presign, s3 website, s3api get-object, s3api put-object, s3 mb', {
        class: 'NETWORK',
        does: 'copies data into or out of the account',
      }),
      ...sameFor(
        's3 rm, s3 rb, s3api delete-object, s3api delete-bucket, ec2 terminate-instances, rds delete-db-instance',
        {
          class: 'DESTRUCTIVE',
          does: 'deletes from the account',
        },
      ),
      ...sameFor('secretsmanager get-secret-value, ssm get-parameter, ssm get-parameters, ssm get-parameters-by-path', {
        class: 'READ_ONLY',
        tier: 2,
        does: 'can print a secret',
      }),
      ...sameFor(
        'sts get-session-token, sts get-federation-token, sts assume-role, ecr get-login-password, configure get',
        {
          class: 'READ_ONLY',
          tier: 2,
          does: 'prints a credential',
        },
      ),
      ...sameFor(
        'lambda list-functions, lambda get-function, lambda get-function-configuration, ecs describe-task-definition, kms decrypt',
        {
          class: 'READ_ONLY',
          tier: 2,
          does: 'can print secrets of the environment',
        },
      ),
      ...sameFor('ssm start-session, ssm send-command, ecs execute-command, lambda invoke, ec2-instance-connect ssh', {
        class: 'UNKNOWN',
        does: 'executes a command in the account',
      }),
    },
  },
];
