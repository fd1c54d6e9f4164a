-- Whoever looks at a change that waits sees what becomes of it.
select countersign_live('change_request', 'change_request');
