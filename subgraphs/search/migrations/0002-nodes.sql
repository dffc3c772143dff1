-- Every entity of the graph by type and id, from what the other services publish.
create view search.nodes as
  select 'User' collate "C" as type, id from users.directory
  union all
  select type collate "C", id from posts.texts
  union all
  select 'Book' collate "C", product_id from catalogue.product_prices
  union all
  select 'Order' collate "C", order_id from orders.order_owners
  union all
  select 'Payment' collate "C", id from payments.payment_ids
  union all
  select 'Webhook' collate "C", id from webhooks.endpoint_ids
  union all
  select 'WebhookDelivery' collate "C", id from webhooks.delivery_ids;
