-- Everybody who is signed in sees that the glass was broken, and what becomes of it, on the page they are on.
select countersign_live('incident_event', 'incident', 'kind', 'incident_id');
