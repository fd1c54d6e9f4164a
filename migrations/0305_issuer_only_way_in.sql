-- Where issuers are the only way in, what people hold from another way opens nothing: sessions that a passkey of ours opened,
-- and tokens of people whom no issuer in service knows. Agents' credentials stay: they are those of machines.

alter table sign_in_settings add column sign_in_required_since timestamptz;
update sign_in_settings set sign_in_required_since = updated_at where sign_in_required;
alter table sign_in_settings
  add constraint sign_in_settings_required_since_check check (sign_in_required = (sign_in_required_since is not null));
grant update (sign_in_required_since) on sign_in_settings to countersign_app;
comment on column sign_in_settings.sign_in_required_since is
  'Since when issuers are the only way in: a link of the operator counts if it was used later. Null if they are not.';

create function credential_outside_issuers(c credential, p person) returns boolean
  language sql stable
  return c.kind in ('person_token', 'session', 'slack_link') and exists (
    select from sign_in_settings s
     where s.tenant_id = c.tenant_id and s.sign_in_required
       and not exists (
         select from external_identity i join issuer on issuer.tenant_id = i.tenant_id and issuer.id = i.issuer_id
          where i.tenant_id = c.tenant_id and i.person_id = c.person_id and issuer.disabled_at is null
            and (c.kind <> 'session' or i.id = (
              select b.identity_id from browser_session b where b.tenant_id = c.tenant_id and b.id = c.id)))
       -- The operator's way back, for as long as one sign-in counts.
       and not coalesce(p.operator_signed_in_at >= s.sign_in_required_since
         and p.operator_signed_in_at > clock_timestamp() - interval '1 minute' * s.reauthenticate_after_minutes, false));
comment on function credential_outside_issuers(credential, person) is
  'Whether a credential of a person opens nothing, because issuers are the only way in and the person holds it from another way.';

-- As it was, with whether the credential is held from outside the only way in.
drop function credential_standing(bytea);
create function credential_standing(wanted bytea)
  returns table (tenant_id uuid, id uuid, kind text, person_id uuid, agent_id uuid, delegated_by uuid,
                 scopes text[], now timestamptz, created_at timestamptz, expires_at timestamptz, revoked_at timestamptz,
                 last_used_at timestamptz, display_name text, enrolled_at timestamptz, signed_in_at timestamptz,
                 owner_person_id uuid, holder_disabled boolean, backer_disabled boolean, roles jsonb,
                 session_idle_minutes integer, seal text, outside_issuers boolean)
  language plpgsql as $$
declare
  before constant text := coalesce(current_setting('app.tenant_id', true), '');
  located record;
begin
  select found.tenant_id, found.id into located from credential_by_digest(wanted) found;
  if not found then
    return;
  end if;
  perform set_config('app.tenant_id', located.tenant_id::text, true);
  return query
    select c.tenant_id, c.id, c.kind, c.person_id, c.agent_id, c.delegated_by, c.scopes,
           clock_timestamp(), c.created_at, c.expires_at, c.revoked_at, c.last_used_at,
           coalesce(person.display_name, agent.name), person.enrolled_at,
           case when person.id is not null then person_signed_in_at(person) end, agent.owner_person_id,
           coalesce(person.disabled_at, agent.disabled_at) is not null,
           owner.disabled_at is not null or delegator.disabled_at is not null,
           (select coalesce(jsonb_agg(jsonb_build_object('id', held.id, 'role', held.role,
                     'granted_at', floor(extract(epoch from held.granted_at) * 1000)::bigint,
                     'granted_by', held.granted_by, 'granted_by_issuer', held.granted_by_issuer, 'seal', held.seal)), '[]')
              from role_grant held
             where held.tenant_id = c.tenant_id and held.person_id = c.person_id and held.revoked_at is null),
           case when c.kind = 'session'
             then (select s.session_idle_minutes from sign_in_settings s where s.tenant_id = c.tenant_id) end,
           case when c.token_digest = wanted then c.seal
             else (select b.previous_seal from browser_session b
                    where b.tenant_id = c.tenant_id and b.id = c.id and b.previous_digest = wanted) end,
           -- Nobody asks about issuers for an agent's credential: that made each of its calls a tenth slower.
           c.person_id is not null and credential_outside_issuers(c, person)
      from credential c
      left join person on person.tenant_id = c.tenant_id and person.id = c.person_id
      left join agent on agent.tenant_id = c.tenant_id and agent.id = c.agent_id
      left join person owner on owner.tenant_id = agent.tenant_id and owner.id = agent.owner_person_id
      left join person delegator on delegator.tenant_id = c.tenant_id and delegator.id = c.delegated_by
     where c.tenant_id = located.tenant_id and c.id = located.id;
  -- The rows were read by now; the caller's transaction goes on as it was.
  perform set_config('app.tenant_id', before, true);
end $$;

comment on function credential_standing(bytea) is
  'The credential with this digest and the standing of those behind it, read in its own tenant with the rights of the caller.';
