-- Published for search: which payments there are.
create view payments.payment_ids as
  select id from payments.payments;
