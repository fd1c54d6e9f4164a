-- Names that imitate somebody (T48): which names read alike, and what was renamed lately.

create function countersign_name_skeleton(name text) returns text
  language sql immutable strict parallel safe as $$
  select replace(replace(regexp_replace(translate(lower(normalize(name, NFKD)),
    'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁІЇЈЅԚԜЄҐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩӀŁØĐавекмнорстухіјѕԛԝһӏёїαεικνορτυχηωζβμσς01i|!ıłøđħɡɑß$@օսհցոզѵ',
    'aбbгдeжзийkлmhoпpctyфxцчшщъыьэюяelljsqwєґabγδezhθlkλunξoπpotyφxψwllodabekmhopctyxljsqwhlelaelkvoptuxnwzbuocollllllodhgabsaouhgnqv'),
    '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u0300-\u036f\u034f\u061c\u115f\u1160\u180e\u2000-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff]', '', 'g'),
    'rn', 'm'), 'vv', 'w')
$$;

comment on function countersign_name_skeleton(text) is
  'What a name is read as: without case, marks, spaces and signs, and with look-alike letters (0 and o, 1, l and I, Cyrillic, Greek) as one.';

create index person_name_skeleton_idx on person (tenant_id, countersign_name_skeleton(display_name));
create index agent_name_skeleton_idx on agent (tenant_id, countersign_name_skeleton(name));

alter table person add column former_name text, add column renamed_at timestamptz,
  add constraint person_renamed_check check ((former_name is null) = (renamed_at is null)),
  add constraint person_former_name_check check (char_length(former_name) between 1 and 200);
comment on column person.former_name is 'The name before the last renaming; with several in a week, the one before them all. Null if they were never renamed.';
comment on column person.renamed_at is 'When they were renamed last; null if never.';

alter table agent add column former_name text, add column renamed_at timestamptz,
  add constraint agent_renamed_check check ((former_name is null) = (renamed_at is null)),
  add constraint agent_former_name_check check (char_length(former_name) between 1 and 200);
comment on column agent.former_name is 'The name before the last renaming; with several in a week, the one before them all. Null if it was never renamed.';
comment on column agent.renamed_at is 'When it was renamed last; null if never.';

-- Kept here, so that no statement renames without a trace.
create function countersign_keep_former_name() returns trigger
  language plpgsql as $$
declare
  was text := to_jsonb(old) ->> tg_argv[0];
begin
  if was is not distinct from to_jsonb(new) ->> tg_argv[0] then
    new.former_name := old.former_name;
    new.renamed_at := old.renamed_at;
    return new;
  end if;
  if old.renamed_at is null or old.renamed_at < clock_timestamp() - interval '7 days' then
    new.former_name := was;
  else
    new.former_name := old.former_name;
  end if;
  new.renamed_at := clock_timestamp();
  return new;
end $$;
comment on function countersign_keep_former_name() is 'Trigger: keeps the former value of the column named, and when it changed.';
create trigger person_keep_former_name before update on person
  for each row execute function countersign_keep_former_name('display_name');
create trigger agent_keep_former_name before update on agent
  for each row execute function countersign_keep_former_name('name');

create function countersign_name_note(of_tenant uuid, own_id uuid, own_kind text, own_name text, former_name text, renamed_at timestamptz)
  returns text language sql stable as $$
  select nullif(concat_ws('; ',
    (select case when bool_or(lower(other.display_name) = lower(own_name)) then 'another person has this name'
                 when count(*) > 0 then 'another person has a name that looks like this one' end
       from person other
      where own_kind = 'person' and other.tenant_id = of_tenant and other.id <> own_id
        and countersign_name_skeleton(other.display_name) = countersign_name_skeleton(own_name)),
    (select case when bool_or(lower(other.display_name) = lower(own_name)) then 'a person has this name'
                 when count(*) > 0 then 'a person has a name that looks like this one' end
       from person other
      where own_kind <> 'person' and other.tenant_id = of_tenant
        and countersign_name_skeleton(other.display_name) = countersign_name_skeleton(own_name)),
    (select case when own_kind = 'agent' then 'another agent has a name that looks like this one'
                 when bool_or(lower(other.name) = lower(own_name)) then 'an agent has this name'
                 else 'an agent has a name that looks like this one' end
       from agent other
      where own_kind in ('person', 'agent') and other.tenant_id = of_tenant and other.id <> own_id
        and countersign_name_skeleton(other.name) = countersign_name_skeleton(own_name)
     having count(*) > 0),
    case when renamed_at > clock_timestamp() - interval '7 days' then
      'renamed ' || case extract(day from clock_timestamp() - renamed_at)
        when 0 then 'less than a day ago'
        when 1 then '1 day ago'
        else extract(day from clock_timestamp() - renamed_at) || ' days ago' end || ', was ' || former_name end),
    '')
$$;
comment on function countersign_name_note(uuid, uuid, text, text, text, timestamptz) is
  'What somebody who reads this name has to know: who else has it, or one like it, and whether it was given within a week. Null if nothing.';

create function countersign_shown_name(one person) returns text language sql stable as $$
  select one.display_name || coalesce(' (' || note || '; ' || one.email || ')', '')
    from countersign_name_note(one.tenant_id, one.id, 'person', one.display_name, one.former_name, one.renamed_at) note
$$;
comment on function countersign_shown_name(person) is
  'A person''s name as somebody who decides reads it: marked, with the address, where it could be taken for another.';
