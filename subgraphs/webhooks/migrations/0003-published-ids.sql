-- Published for search: which webhooks and deliveries there are.
create view webhooks.endpoint_ids as
  select id from webhooks.endpoints;
create view webhooks.delivery_ids as
  select id from webhooks.deliveries;
