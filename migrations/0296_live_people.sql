-- Open pages learn who came, who went, and who holds another role.

select countersign_live('person', 'person', 'disabled_at');
select countersign_live('role_grant', 'person', 'revoked_at', 'person_id');
select countersign_live('agent', 'agent', 'disabled_at');
