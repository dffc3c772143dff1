import { describe, expect, it } from '@jest/globals';
import { planOver } from '../../../support/planning/plan-text.ts';

const plan = planOver({
  orders: `type Query { order(id: ID!): Order } type Subscription { changed(id: ID): Change }
    type Change { at: Int order: Order! }
    type Order @key(fields: "id") { id: ID! status: String buyer: User }
    type User @key(fields: "id", resolvable: false) { id: ID! }`,
  users: `type Query { me: User } type User @key(fields: "id") { id: ID! name: String country: String }`,
  shipping: `type Query { rate: Int } type Subscription { moved: Order }
    type Order @key(fields: "id") { id: ID! buyer: User @external shipment(fast: Boolean): String @requires(fields: "buyer { country }") }
    type User @key(fields: "id", resolvable: false) { id: ID! country: String @external }`,
});

describe('the plan of a subscription', () => {
  it('streams all fields if the subgraph of the root field has them', () => {
    expect(plan('subscription ($id: ID) { changed(id: $id) { at order { id status } } }')).toEqual([
      '0 subscription orders: { changed_0: changed(id:$id) { at order { id status } } }',
    ]);
  });

  it('queries other subgraphs after each event with keys from the stream', () => {
    expect(plan('subscription { changed { order { status buyer { name } shipment } } }')).toEqual([
      '0 subscription orders: { changed { order { status buyer { id } id } } }',
      '1 users @ changed.order.buyer: User(id) { country name } after 0',
      '2 shipping @ changed.order: Order(id buyer{country}(for shipment)) { shipment } after 0,1',
    ]);
  });

  it('fetches missing fields from others if the streaming subgraph has only the key', () => {
    expect(plan('subscription { moved { status } }')).toEqual([
      '0 subscription shipping: { moved { id } }',
      '1 orders @ moved: Order(id) { status } after 0',
    ]);
  });

  it('passes subgraph directives to the stream', () => {
    const text = 'subscription ($id: ID) { changed @note(text: $id) @note(text: "b") { at @note(text: "c") order { shipment } } }';
    expect(plan(text)).toEqual([
      '0 subscription orders: { changed_0: changed@note(text:$id)@note(text:"b") { at_0: at@note(text:"c") order { buyer { id } id } } }',
      '1 users @ changed_0.order.buyer: User(id) { country } after 0',
      '2 shipping @ changed_0.order: Order(id buyer{country}(for shipment)) { shipment } after 0,1',
    ]);
  });

  it('is empty if the root field is skipped', () => {
    expect(plan('subscription ($no: Boolean!) { changed @skip(if: $no) { at } }', { conditions: { no: true } })).toEqual([]);
  });
});
