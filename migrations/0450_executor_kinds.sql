-- The registry of kinds checks the settings of an executor; the table holds only what every kind keeps to. A kind is added
-- without a migration.
alter table executor_version
  drop constraint executor_version_kind_check,
  drop constraint executor_version_url_check,
  drop constraint executor_version_secret_check,
  add constraint executor_version_kind_check check (kind ~ '^[a-z][a-z0-9_-]{0,31}$'),
  add constraint executor_version_url_check check (char_length(url) between 1 and 2000),
  add constraint executor_version_secret_check check (secret ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}@[1-9][0-9]{0,8}$');

comment on column executor_version.kind is 'A kind of the registry in libs/registry/dispatch/src/executors. A stored kind never changes its meaning.';
comment on column executor_version.url is 'The address that its calls go to; null for a kind that has none.';
comment on column executor_version.secret is 'name@version of the secret it is called with; null for none.';
