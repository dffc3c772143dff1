-- Published for payments: what an order costs, and whether it can be paid.
create view orders.payable_orders as
  select id as order_id, user_id, status, total from orders.orders;
