-- The map of a router: the cells behind it, and the tenant of each but the default one. Its database is the router's own, so that it has
-- no tenant's rows and no row-level security.

create table cell (
  name text not null,
  url text not null,
  is_default boolean not null default false,
  constraint cell_pk primary key (name),
  constraint cell_name_check check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  constraint cell_url_check check (url ~ '^https?://[^/?#@]+$')
);
comment on table cell is 'An installation behind the router.';
comment on column cell.name is 'A DNS label; operators name the cell by it.';
comment on column cell.url is 'Its origin, as the router reaches it.';
comment on column cell.is_default is 'New tenants are founded here, and requests of unknown tenants go here.';
create unique index cell_default_key on cell (is_default) where is_default;

create table cell_tenant (
  id uuid not null,
  slug text not null,
  hint text not null,
  host text,
  cell text not null,
  constraint cell_tenant_pk primary key (id),
  constraint cell_tenant_slug_key unique (slug),
  constraint cell_tenant_hint_key unique (hint),
  constraint cell_tenant_host_key unique (host),
  constraint cell_tenant_cell_fk foreign key (cell) references cell (name),
  constraint cell_tenant_slug_check check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  constraint cell_tenant_host_check check (host ~ '^[a-z0-9.-]{1,253}$')
);
comment on table cell_tenant is 'The cell that serves a tenant. A tenant of the default cell may be left out.';
comment on column cell_tenant.id is 'The id of the tenant, which it keeps in every cell.';
comment on column cell_tenant.slug is 'Short name for people and addresses.';
comment on column cell_tenant.hint is 'The routing hint of its tokens; unique, so that no two tenants share one.';
comment on column cell_tenant.host is 'A host name of its own, or null.';
comment on column cell_tenant.cell is 'The cell that serves it now.';

create table cell_slack_team (
  app_id text not null,
  team_id text not null,
  tenant_id uuid not null,
  constraint cell_slack_team_pk primary key (app_id, team_id),
  constraint cell_slack_team_tenant_fk foreign key (tenant_id) references cell_tenant (id) on delete cascade
);
comment on table cell_slack_team is 'The tenant whose Slack app is installed in a workspace.';
comment on column cell_slack_team.app_id is 'The Slack app, which is the tenant''s own.';
comment on column cell_slack_team.team_id is 'The workspace.';
comment on column cell_slack_team.tenant_id is 'The tenant.';

create function cell_map_tell() returns trigger language plpgsql as $$
begin
  perform pg_notify('countersign_cell_map', '');
  return null;
end $$;
comment on function cell_map_tell() is 'Tells the routers of a change.';
-- For each row, since a statement that changes none has nothing to tell.
create trigger cell_tell after insert or update or delete on cell
  for each row execute function cell_map_tell();
create trigger cell_tenant_tell after insert or update or delete on cell_tenant
  for each row execute function cell_map_tell();
create trigger cell_slack_team_tell after insert or update or delete on cell_slack_team
  for each row execute function cell_map_tell();
