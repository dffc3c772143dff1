const USER = 'id name email age orders { nodes { id total } }';
const ORDER = 'id status total userId user { id email } shipment { carrier } shippingCost';

/** Subscriptions whose events have guarded fields. */
export const REFERENCE_EVENTS: readonly string[] = [
  `subscription { postCreated { postId post { title author { ${USER} } } } }`,
  'subscription { postCreated { post { author { ...F } } } } fragment F on User { ... on Node { id } ... on User { email } }',
  'subscription { postCreated { post { author { id: name mail: email } comments { nodes { author { email } } } } } }',
  `subscription { commentAdded(postId: "1") { comment { author { ${USER} } post { author { email } } } } }`,
  `subscription { orderStatusChanged { kind orderId order { ${ORDER} } } }`,
  'subscription { orderStatusChanged { __typename order { __typename } } }',
  'subscription { orderStatusChanged { orderId } }',
  'subscription { paymentSucceeded { paymentId amount at } }',
  'subscription { paymentSucceeded { payment { id amount currency user { email } order { total } } } }',
];

/** Subscriptions with guarded fields in the graph with every directive. */
export const SCOPED_EVENTS: readonly string[] = [
  'subscription { accountChanged { id name note email nickname token rank ranks } }',
  'subscription { accountChanged { vault { code keys { label } } safe { code colour } salary friends { name salary } } }',
  'subscription { accountChanged { shelf { __typename } wishes { __typename } reviews { body verdict } } }',
  'subscription { leaks { internal rank vault { code } } }',
  'subscription { leaks { account { email nickname } internal } }',
  'subscription { audited { entries reason } }',
  'subscription { tokenIssued }',
];
