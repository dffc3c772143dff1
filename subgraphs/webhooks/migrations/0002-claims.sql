-- A claim asks for the next delivery of each endpoint, and for what is held of it: neither may take longer the more is waiting.
create index deliveries_waiting on webhooks.deliveries (endpoint_id, next_attempt_at, id) where state = 'PENDING';
create index deliveries_held on webhooks.deliveries (endpoint_id) where state = 'PENDING' and lease_until is not null;
