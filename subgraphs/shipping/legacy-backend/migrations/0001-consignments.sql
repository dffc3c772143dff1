-- The legacy backend's own store. It learns of an order when somebody books its parcel, and reads no other table.
create table legacy_shipping.consignments (
  order_id bigint primary key,
  pieces integer not null check (pieces between 1 and 9999),
  state smallint not null check (state in (10, 20, 30, 90)),
  handed_over_at timestamptz(0) not null
);
