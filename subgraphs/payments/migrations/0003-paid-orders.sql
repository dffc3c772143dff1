-- Published for orders: which orders have a succeeded payment.
create view payments.paid_orders as
  select order_id from payments.payments where order_id is not null and status = 'SUCCEEDED';
