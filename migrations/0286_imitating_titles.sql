-- A name that is somebody's and a title, such as "Sam (SRE lead)", reads as theirs (T48).

create function countersign_bare_name(name text) returns text
  language sql immutable strict parallel safe as $$
  select coalesce(nullif(regexp_replace(name, '\s*([][(){}<>,;:/|•·（［【《「]|\s[-–—]\s).*$', ''), ''), name)
$$;
comment on function countersign_bare_name(text) is
  'A name without what stands behind its first bracket, comma, colon, stroke or dash; all of it if nothing stands before.';

create or replace function countersign_name_note(of_tenant uuid, own_id uuid, own_kind text, own_name text, former_name text, renamed_at timestamptz)
  returns text language sql stable as $$
  with own as (
    select countersign_name_skeleton(own_name) as whole, countersign_name_skeleton(countersign_bare_name(own_name)) as bare)
  select nullif(concat_ws('; ',
    (select case when bool_or(lower(other.display_name) = lower(own_name)) then 'another person has this name'
                 when count(*) > 0 then 'another person has a name that looks like this one' end
       from own, person other
      where own_kind = 'person' and other.tenant_id = of_tenant and other.id <> own_id
        and countersign_name_skeleton(other.display_name) in (own.whole, own.bare)),
    (select case when bool_or(lower(other.display_name) = lower(own_name)) then 'a person has this name'
                 when count(*) > 0 then 'a person has a name that looks like this one' end
       from own, person other
      where own_kind <> 'person' and other.tenant_id = of_tenant
        and countersign_name_skeleton(other.display_name) in (own.whole, own.bare)),
    (select case when own_kind = 'agent' then 'another agent has a name that looks like this one'
                 when bool_or(lower(other.name) = lower(own_name)) then 'an agent has this name'
                 else 'an agent has a name that looks like this one' end
       from own, agent other
      where own_kind in ('person', 'agent') and other.tenant_id = of_tenant and other.id <> own_id
        and countersign_name_skeleton(other.name) = own.whole
     having count(*) > 0),
    case when renamed_at > clock_timestamp() - interval '7 days' then
      'renamed ' || case extract(day from clock_timestamp() - renamed_at)
        when 0 then 'less than a day ago'
        when 1 then '1 day ago'
        else extract(day from clock_timestamp() - renamed_at) || ' days ago' end || ', was ' || former_name end),
    '')
$$;
