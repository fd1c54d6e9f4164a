-- The move of a tenant from one installation to another (ADR 33). Each installation has a row of its own about it. The source's
-- tells how far the move is, the target's that the tenant is arriving. Neither is copied.
--
--   source:  copying → caught_up → draining ⇄ frozen → compared → switched → done → forgotten
--   target:  arriving → arrived
--
--   copying again from draining, frozen and compared, if one of them lasts too long.
--   undone from every state before done and arrived.

create table tenant_move_state (
  state text not null,
  allows text not null,
  constraint tenant_move_state_pk primary key (state),
  constraint tenant_move_state_allows_check check (allows in ('all', 'no_dispatch', 'reads', 'nothing'))
);
comment on table tenant_move_state is 'Global: the states of a move.';
comment on column tenant_move_state.state is 'Its name.';
comment on column tenant_move_state.allows is
  'The work that goes on for the tenant meanwhile: all, no_dispatch (no new call leaves), reads, or nothing.';
insert into tenant_move_state values
  ('copying', 'all'), ('caught_up', 'all'), ('draining', 'no_dispatch'), ('frozen', 'reads'), ('compared', 'reads'),
  ('switched', 'nothing'), ('done', 'nothing'), ('arriving', 'nothing'), ('arrived', 'all'), ('undone', 'all'),
  ('forgotten', 'all');

create table tenant_move_transition (
  from_state text not null,
  event text not null,
  to_state text not null,
  constraint tenant_move_transition_pk primary key (from_state, event),
  constraint tenant_move_transition_to_fk foreign key (to_state) references tenant_move_state (state)
);
comment on table tenant_move_transition is 'Global: the legal changes of a move''s state; every other is refused (CS002).';
comment on column tenant_move_transition.from_state is 'State before; '''' is the beginning.';
comment on column tenant_move_transition.event is 'The event.';
comment on column tenant_move_transition.to_state is 'State after.';
insert into tenant_move_transition values
  ('', 'begin', 'copying'),
  ('', 'expect', 'arriving'),
  ('copying', 'catch_up', 'caught_up'),
  ('copying', 'undo', 'undone'),
  ('caught_up', 'drain', 'draining'),
  ('caught_up', 'undo', 'undone'),
  ('draining', 'freeze', 'frozen'),
  ('draining', 'expire', 'copying'),
  ('draining', 'undo', 'undone'),
  ('frozen', 'unfreeze', 'draining'),
  ('frozen', 'compare', 'compared'),
  ('frozen', 'expire', 'copying'),
  ('frozen', 'undo', 'undone'),
  ('compared', 'switch', 'switched'),
  ('compared', 'expire', 'copying'),
  ('compared', 'undo', 'undone'),
  ('switched', 'finish', 'done'),
  ('switched', 'undo', 'undone'),
  ('done', 'forget', 'forgotten'),
  ('arriving', 'arrive', 'arrived'),
  ('arriving', 'undo', 'undone');

create table tenant_move (
  tenant_id uuid not null,
  id uuid not null,
  slug text not null,
  state text not null,
  begun_at timestamptz not null,
  changed_at timestamptz not null,
  closed_epoch integer,
  held_until timestamptz,
  constraint tenant_move_pk primary key (tenant_id, id),
  constraint tenant_move_state_fk foreign key (state) references tenant_move_state (state),
  constraint tenant_move_held_until_check check ((held_until is not null) = (state in ('draining', 'frozen', 'compared')))
);
-- A tenant moves once at a time, and comes back only to an installation that has forgotten it.
create unique index tenant_move_live_unique on tenant_move (tenant_id) where state not in ('arrived', 'undone', 'forgotten');

comment on table tenant_move is 'Moves of tenants to this installation or from it. The tenant of an arrival may not be here yet.';
comment on column tenant_move.tenant_id is 'The tenant that moves.';
comment on column tenant_move.id is 'UUIDv7; the same on both sides.';
comment on column tenant_move.slug is 'The tenant''s slug, which the operator names.';
comment on column tenant_move.state is 'How far it is; see tenant_move_transition.';
comment on column tenant_move.begun_at is 'When it began, by this database''s clock.';
comment on column tenant_move.changed_at is 'When the state last changed, by this database''s clock.';
comment on column tenant_move.closed_epoch is 'On the source: the epoch of the audit log that ends here; null before the comparison.';
comment on column tenant_move.held_until is
  'When draining, frozen or compared ends by itself, and the rows are only copied again. Null in every other state.';

select countersign_protect('tenant_move');
revoke insert, update, delete on tenant_move from countersign_app;
select countersign_system_reads('tenant_move');
select countersign_state_machine('tenant_move', 'tenant_move_transition');
select countersign_lookup('tenant_move_state');

-- Every process asks twice a second. A tenant that is held too long is let go by the first that asks. That holds even if the
-- command that moves it has died. The comparison and the switch change the same row, so that one of the two comes first.
create function tenant_move_held() returns table (tenant_id uuid, id uuid)
  language plpgsql volatile security definer
  set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Nearly always there is none, and the question stays one that only reads.
  if exists (select from tenant_move where held_until <= clock_timestamp()) then
    update tenant_move set state = 'copying', held_until = null, changed_at = clock_timestamp()
     where held_until <= clock_timestamp();
  end if;
  return query
    select move.tenant_id, move.id from tenant_move move join tenant_move_state stage on stage.state = move.state
     where move.state not in ('arrived', 'undone', 'forgotten') and stage.allows <> 'all';
end $$;
revoke all on function tenant_move_held() from public;
grant execute on function tenant_move_held() to countersign_app;
comment on function tenant_move_held() is
  'Tenants that the installation does not, or not fully, work for, since they are moving; first lets those go that were held too long.';

-- A transaction asks when it begins, so that none that began later writes. The move's own database sessions set app.tenant_move.
create function tenant_move_restrict() returns void
  language plpgsql as $$
declare
  moving uuid;
  allowed text;
begin
  select move.id, stage.allows into moving, allowed
    from tenant_move move join tenant_move_state stage on stage.state = move.state
   where move.tenant_id = countersign_current_tenant() and move.state not in ('arrived', 'undone', 'forgotten');
  if not found or current_setting('app.tenant_move', true) = moving::text then
    return;
  end if;
  if allowed = 'no_dispatch' then
    perform set_config('app.no_dispatch', 'on', true);
  elsif allowed = 'reads' then
    perform set_config('transaction_read_only', 'on', true);
  elsif allowed = 'nothing' then
    raise exception 'the tenant is moving, or moved' using errcode = 'CS003';
  end if;
end $$;
comment on function tenant_move_restrict() is
  'Keeps the current transaction from dispatching, from writing, or from everything (CS003), as the move of its tenant says.';

-- A process that has just asked need not ask for each transaction. But its message may come late: the process stood still, or the
-- network did. So the server compares its own clock with the end of that knowledge.
create procedure tenant_move_restrict_after(known_until timestamptz)
  language plpgsql as $$
begin
  if clock_timestamp() >= known_until then
    perform tenant_move_restrict();
  end if;
end $$;
comment on procedure tenant_move_restrict_after(timestamptz) is 'As tenant_move_restrict(), for a transaction that begins after this time of the server. Its sender knew until then that the tenant does not move.';

create function tenant_move_refuse_dispatch() returns trigger
  language plpgsql as $$
begin
  raise exception 'the tenant is moving: no call leaves' using errcode = 'CS004';
end $$;
comment on function tenant_move_refuse_dispatch() is 'Trigger: a tenant that moves has no new grant; SQLSTATE CS004.';
create trigger call_grant_no_dispatch before insert on call_grant
  for each row when (current_setting('app.no_dispatch', true) = 'on') execute function tenant_move_refuse_dispatch();

-- A router knows no cell's database, and a cell knows no router: `countersign-router fill --follow` listens here, beside both.
create function tenant_route_tell() returns trigger
  language plpgsql as $$
begin
  perform pg_notify('countersign_tenant_route', '');
  return null;
end $$;
comment on function tenant_route_tell() is
  'Trigger: tells listeners that this installation serves other tenants, slugs or Slack workspaces than before.';
-- For each row, since a statement that changes none has nothing to tell.
create trigger tenant_route_tell after insert or update of slug on tenant
  for each row execute function tenant_route_tell();
create trigger slack_installation_route_tell after insert or delete or update of app_id, team_id on slack_installation
  for each row execute function tenant_route_tell();
-- A move that begins changes nothing yet: the source goes on, and the tenant of an arrival was not there.
create trigger tenant_move_route_tell after update of state on tenant_move
  for each row when (old.state is distinct from new.state) execute function tenant_route_tell();
