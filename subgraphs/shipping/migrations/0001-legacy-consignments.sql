CREATE SCHEMA legacy_shipping;

-- The legacy backend's own store. It learns of an order when somebody books its parcel, and reads no other table.
CREATE TABLE legacy_shipping.consignments (
  order_id bigint PRIMARY KEY,
  pieces integer NOT NULL CHECK (pieces BETWEEN 1 AND 9999),
  state smallint NOT NULL CHECK (state IN (10, 20, 30, 90)),
  handed_over_at timestamptz(0) NOT NULL
);
