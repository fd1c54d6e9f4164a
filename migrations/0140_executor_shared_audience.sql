-- One audience in two environments: only if both executors say so.
alter table executor_version add column shared_audience boolean not null default false;
comment on column executor_version.shared_audience is
  'Executors of other environments may have the same audience, if they say so, too.';
comment on column executor_version.digest is
  'Digest of environment, name, kind, url, audience, whether that is shared, and secret; kind executor.';
