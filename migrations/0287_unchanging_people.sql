-- The address by which somebody is invited, mailed and found at an issuer never changes; nor do people and agents go.

select countersign_changes_only('person', 'display_name', 'disabled_at', 'enrolled_at', 'signed_in_at', 'passkey_signed_in_at',
  'operator_signed_in_at');
select countersign_changes_only('agent', 'name', 'description', 'owner_person_id', 'disabled_at');
