-- A sign-in under way is stored nowhere: its state parameter carries it, sealed under the keyring. Only a browser that comes
-- back leaves a row, so that each sign-in serves one return. Sign-ins under way during the migration have to begin again.

delete from sign_in_transaction;
drop function sign_in_transaction_by_state(bytea);
drop trigger sign_in_transaction_set_once on sign_in_transaction;
alter table sign_in_transaction
  drop constraint sign_in_transaction_used_at_check,
  drop constraint sign_in_transaction_expires_at_check,
  drop column nonce,
  drop column code_verifier,
  drop column max_age_seconds,
  drop column return_to,
  drop column used_at;

comment on table sign_in_transaction is 'A browser that came back from an issuer, once for each sign-in; forgotten soon after the sign-in expired.';
comment on column sign_in_transaction.id is 'The UUIDv7 by which the sealed state names its sign-in: another return of the same is refused.';
comment on column sign_in_transaction.issuer_id is 'Where the browser had been sent.';
comment on column sign_in_transaction.created_at is 'When it came back.';
comment on column sign_in_transaction.expires_at is 'From when coming back is too late.';
