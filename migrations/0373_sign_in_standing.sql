-- Whether a person's sign-in is recent enough is one statement, inside a transaction or outside.

create function sign_in_standing(reading uuid, wanted_person uuid)
  returns table (now timestamptz, signed_in_at timestamptz, came_in_at timestamptz, at_issuer boolean,
                 reauthenticate_after_minutes integer, dormant_after_days integer)
  language plpgsql as $$
declare
  before constant text := coalesce(current_setting('app.tenant_id', true), '');
begin
  perform set_config('app.tenant_id', reading::text, true);
  return query
    select clock_timestamp(), person_signed_in_at(person),
           greatest(person.enrolled_at, person.signed_in_at, person.passkey_signed_in_at, person.operator_signed_in_at),
           exists (select from external_identity known
                     join issuer on issuer.tenant_id = known.tenant_id and issuer.id = known.issuer_id and issuer.disabled_at is null
                    where known.tenant_id = person.tenant_id and known.person_id = person.id),
           s.reauthenticate_after_minutes, s.dormant_after_days
      from person left join sign_in_settings s on s.tenant_id = person.tenant_id
     where person.tenant_id = reading and person.id = wanted_person;
  -- The rows were read by now; the caller's transaction goes on as it was.
  perform set_config('app.tenant_id', before, true);
end $$;

comment on function sign_in_standing(uuid, uuid) is
  'When a person of the tenant last signed in and came in, and how long that counts there; with the rights of the caller, under row-level security.';
