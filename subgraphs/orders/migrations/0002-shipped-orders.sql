-- Published for shipping: what was handed to the carrier, and when. A shipped order changes no more.
create view orders.shipped_orders as
  select id as order_id, qty, updated_at as shipped_at from orders.orders where status = 'SHIPPED';

create index orders_shipped_at on orders.orders (updated_at) where status = 'SHIPPED';
