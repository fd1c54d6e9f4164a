-- Entries without a leaf are found by the transaction that wrote them, so that an action writes no mark for each: whatever
-- the snapshot of the cursor did not see is looked at, and has a leaf or gets one. What decides is the leaf. The cursor
-- only says which entries need no look.

drop trigger audit_entry_await_leaf on audit_entry;
drop function audit_entry_await_leaf();

alter table audit_entry add column xid xid8 not null default pg_current_xact_id();
comment on column audit_entry.xid is 'The transaction that inserted it, as the cluster of then counted them.';
create index audit_entry_xid_idx on audit_entry (xid);

create function audit_entry_own_xid() returns trigger
  language plpgsql as $$
begin
  new.xid := pg_current_xact_id();
  return new;
end $$;
comment on function audit_entry_own_xid() is 'Trigger: an entry names the transaction that inserts it, whatever the statement says, so that no insert hides it.';
create trigger audit_entry_own_xid before insert on audit_entry
  for each row execute function audit_entry_own_xid();

comment on table audit_pending is 'Entries whose tenant could not be sequenced when they were met: set aside until their leaf is there.';

create table audit_cursor (
  the_one boolean not null default true,
  place text not null,
  seen pg_snapshot not null,
  constraint audit_cursor_pk primary key (the_one),
  constraint audit_cursor_single check (the_one)
);
comment on table audit_cursor is 'Global: up to where every entry has its leaf or is set aside: one row.';
comment on column audit_cursor.the_one is 'True: there is one row.';
comment on column audit_cursor.place is 'The cluster and its timeline; in another one the numbers of transactions mean something else.';
comment on column audit_cursor.seen is 'Each entry that a statement with this snapshot sees has its leaf or is set aside.';
grant select, insert, update on audit_cursor to countersign_app;
grant select on audit_cursor to countersign_system;

create function audit_place() returns text
  language sql stable
  return (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
comment on function audit_place() is 'Names this cluster and its timeline: another after a restore into a new cluster, and after each promotion.';

-- After a restore into another cluster, a promotion, or with a counter that went back, every entry is looked at once more.
create function audit_seen() returns pg_snapshot
  language sql stable
  return (select cursor.seen from audit_cursor cursor
           where cursor.place = audit_place()
             and pg_snapshot_xmax(cursor.seen) <= pg_snapshot_xmax(pg_current_snapshot()));
comment on function audit_seen() is 'The snapshot of the cursor; null where it is not of this cluster and timeline, or ahead of them.';

-- Numbers from elsewhere may lie ahead of this cluster's own. What is visible and of here lies below the current snapshot.
create function audit_arrived(entry_xid xid8, seen pg_snapshot) returns boolean
  language sql stable
  return seen is null or (entry_xid < pg_snapshot_xmax(pg_current_snapshot()) and not pg_visible_in_snapshot(entry_xid, seen));
comment on function audit_arrived(xid8, pg_snapshot) is 'Whether a transaction is one that the snapshot did not see.';

create function audit_lowest(seen pg_snapshot) returns xid8
  language sql immutable
  return coalesce(pg_snapshot_xmin(seen), '0'::xid8);
comment on function audit_lowest(pg_snapshot) is 'No transaction below this one is news to the snapshot.';

-- Without sequential scans: the planner cannot know how little lies above the cursor.
create function audit_unsequenced(at_most integer) returns table (entry_number bigint, id uuid)
  language sql stable
  set enable_seqscan = off
  begin atomic
    with since as materialized (select audit_seen() as seen)
    select entry.entry_number, entry.id
      from since
      join audit_entry entry on entry.xid >= audit_lowest(since.seen)
     where entry.tenant_id = countersign_current_tenant()
       and audit_arrived(entry.xid, since.seen)
       and not exists (select from audit_leaf leaf where leaf.tenant_id = entry.tenant_id and leaf.entry_id = entry.id)
     union
    select pending.entry_number, pending.entry_id from audit_pending pending
     where pending.tenant_id = countersign_current_tenant()
     order by 1 limit at_most;
  end;
comment on function audit_unsequenced(integer) is 'Entries of the current tenant without a leaf, in the order of their insertion.';

drop function audit_unsequenced_tenants();
select countersign_system_reads('audit_leaf');
create function audit_unsequenced_tenants(until pg_snapshot) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  begin atomic
    with recursive since as materialized (select audit_seen() as seen),
    arrived as (
      select entry.tenant_id, entry.entry_number, entry.id
        from since
        join audit_entry entry on entry.xid >= audit_lowest(since.seen)
       where audit_arrived(entry.xid, since.seen)
         -- What the snapshot asked about did not see belongs to a later look.
         and (until is null or pg_visible_in_snapshot(entry.xid, until)
              or entry.xid >= pg_snapshot_xmax(pg_current_snapshot()))
         and not exists (select from audit_leaf leaf where leaf.tenant_id = entry.tenant_id and leaf.entry_id = entry.id)
         and not exists (select from audit_pending pending
                          where pending.tenant_id = entry.tenant_id and pending.entry_number = entry.entry_number)
    ),
    -- Hops from tenant to tenant along the key, so that a long backlog of one costs nothing here.
    hop as (
      (select p.tenant_id, p.entry_number, p.entry_id from audit_pending p where until is null
        order by p.tenant_id, p.entry_number limit 1)
      union all
      select following.tenant_id, following.entry_number, following.entry_id
        from hop
        cross join lateral (
          select p.tenant_id, p.entry_number, p.entry_id from audit_pending p
           where p.tenant_id > hop.tenant_id
           order by p.tenant_id, p.entry_number limit 1
        ) following
    )
    select distinct on (waiting.tenant_id) waiting.tenant_id, waiting.id
      from (select arrived.tenant_id, arrived.entry_number, arrived.id from arrived
            union all
            select hop.tenant_id, hop.entry_number, hop.entry_id from hop) waiting
     order by waiting.tenant_id, waiting.entry_number;
  end;
select countersign_system_function('audit_unsequenced_tenants(pg_snapshot)');
comment on function audit_unsequenced_tenants(pg_snapshot) is
  'Tenants with entries that have no leaf yet, each with its oldest such entry; with a snapshot, only what it sees and is not set aside.';

-- In one statement: what the look saw has its leaf, and nothing that it saw as over is still under way. The second is false
-- only for a look at another history of this database, as before a restore.
create function audit_settle(look pg_snapshot) returns void
  language sql volatile
  begin atomic
    insert into audit_cursor (place, seen)
    select audit_place(), look
     where not exists (select from audit_unsequenced_tenants(look))
       and pg_snapshot_xmax(look) <= pg_snapshot_xmax(pg_current_snapshot())
       and not exists (select from pg_snapshot_xip(pg_current_snapshot()) running (xid)
                        where pg_visible_in_snapshot(running.xid, look))
    on conflict (the_one) do update set place = excluded.place, seen = excluded.seen
     where audit_seen() is null or pg_snapshot_xmax(audit_cursor.seen) < pg_snapshot_xmax(excluded.seen);
  end;
comment on function audit_settle(pg_snapshot) is 'Moves the cursor on to what an earlier statement saw, if all of it has its leaf or is set aside; never back.';
