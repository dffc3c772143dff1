import type { QueryRequest, Route } from './access-paths.ts';

const ORDER = '8200001';
const PAYMENT = '8600001';
const WEBHOOK = '8950001';
const DELIVERY = '8960001';

const query = (type: string, text: string): Route => ({ type, kind: 'query', text });
const mutation = (type: string, text: string): Route => ({ type, kind: 'mutation', text });

/** Paths to objects of the reference graph that have rules: directly, in lists, over entities, unions and payloads of mutations. */
export const REFERENCE_ROUTES: readonly Route[] = [
  mutation('Mutation', '{ % }'),
  query('User', '{ user(id: "1") { % } }'),
  query('User', '{ user(id: "3") { % } }'),
  query('User', '{ user(id: "404") { % } }'),
  query('User', '{ me { % } }'),
  query('User', '{ users { nodes { % } } }'),
  query('User', '{ users { edges { node { % } } } }'),
  query('User', '{ post(id: "1") { author { % } } }'),
  query('User', '{ allPosts { author { % } } }'),
  query('User', '{ posts { nodes { comments { nodes { author { % } } } } } }'),
  query('User', '{ user(id: "2") { posts { author { % } } } }'),
  query('User', '{ order(id: "8200001") { user { % } } }'),
  query('User', '{ orders { nodes { user { % } } } }'),
  query('User', '{ payment(id: "8600001") { user { % } } }'),
  query('User', '{ search(term: "a") { ... on User { % } } }'),
  query('User', '{ search(term: "a") { ... on Post { id } ... on Comment { author { % } } } }'),
  mutation('User', '{ createUser(input: { name: "1", email: "a@example.org" }) { user { % } } }'),
  mutation('User', '{ updateUser(id: "1", patch: {}) { user { % } errors { code } } }'),
  mutation('User', '{ deleteUser(id: "1") { user { % } } }'),
  mutation('User', '{ createPost(input: { title: "1", body: "B" }) { author { % } } }'),
  mutation('User', '{ addComment(input: { postId: "2", body: "B" }) { comment { author { % } } } }'),
  mutation('User', `{ createOrder(input: { productId: "${ORDER}", qty: 1 }) { order { user { % } } } }`),
  query('Order', `{ order(id: "${ORDER}") { % } }`),
  query('Order', '{ order(id: "404") { % } }'),
  query('Order', '{ orders { nodes { % } } }'),
  query('Order', '{ orders { totalCount edges { cursor node { % } } } }'),
  query('Order', '{ user(id: "1") { orders { nodes { % } } } }'),
  query('Order', '{ me { orders { edges { node { % } } } } }'),
  query('Order', `{ payment(id: "${PAYMENT}") { order { % } } }`),
  mutation('Order', `{ createOrder(input: { productId: "${ORDER}", qty: 1 }) { order { % } errors { code } } }`),
  mutation('Order', `{ updateOrder(id: "${ORDER}", patch: {}) { order { % } } }`),
  mutation('Order', `{ replaceOrder(id: "${ORDER}", input: { productId: "1", qty: 1 }) { order { % } } }`),
  mutation('Order', `{ cancelOrder(id: "${ORDER}") { order { % } errors { field } } }`),
  query('Payment', `{ payment(id: "${PAYMENT}") { % } }`),
  mutation(
    'Payment',
    `{ createPayment(input: { amount: 5, currency: "EUR", orderId: "${PAYMENT}" }, idempotencyKey: "k") { payment { % } errors { code } } }`,
  ),
  query('User', `{ webhook(id: "${WEBHOOK}") { owner { % } } }`),
  query('Webhook', `{ webhook(id: "${WEBHOOK}") { % } }`),
  query('Webhook', '{ webhooks { nodes { % } } }'),
  query('Webhook', `{ webhookDelivery(id: "${DELIVERY}") { webhook { % } } }`),
  mutation('Webhook', `{ createWebhook(input: { url: "${WEBHOOK}", events: [] }) { webhook { % } errors { code } } }`),
  mutation('Webhook', `{ updateWebhook(id: "${WEBHOOK}", patch: {}) { webhook { % } } }`),
  mutation('Webhook', `{ rotateWebhookSecret(id: "${WEBHOOK}") { webhook { % } } }`),
  query('WebhookDelivery', `{ webhookDelivery(id: "${DELIVERY}") { % } }`),
  query('WebhookDelivery', `{ webhook(id: "${WEBHOOK}") { deliveries { nodes { % } } } }`),
  query('WebhookDelivery', '{ webhooks { nodes { deliveries { edges { node { % } } } } } }'),
  mutation('WebhookDelivery', `{ redeliverWebhook(id: "${WEBHOOK}", input: { deliveryId: "${DELIVERY}" }) { delivery { % } } }`),
];

/** Fields that need arguments. */
export const REFERENCE_REQUESTS: Readonly<Record<string, readonly QueryRequest[]>> = {
  Mutation: [
    { field: 'createBook', text: 'createBook(input: { title: "T", author: "A", price: 1 }) { book { id title } errors { code } }' },
    { field: 'updateBook', text: 'updateBook(id: "1", patch: {}) { book { id } }' },
    { field: 'replaceBook', text: 'replaceBook(id: "1", input: { title: "T", author: "A", price: 1 }) { book { id } }' },
    { field: 'deleteBook', text: 'deleteBook(id: "1") { book { id } }' },
    { field: 'createOrder', text: `createOrder(input: { productId: "${ORDER}", qty: 1 }) { errors { code } }` },
    { field: 'updateOrder', text: `updateOrder(id: "${ORDER}", patch: {}) { errors { code } }` },
    { field: 'replaceOrder', text: `replaceOrder(id: "${ORDER}", input: { productId: "1", qty: 1 }) { errors { code } }` },
    { field: 'cancelOrder', text: `cancelOrder(id: "${ORDER}") { errors { code } }` },
    { field: 'createPayment', text: 'createPayment(input: { amount: 5, currency: "EUR" }, idempotencyKey: "k") { errors { code } }' },
    { field: 'createWebhook', text: `createWebhook(input: { url: "${WEBHOOK}", events: [] }) { errors { code } }` },
    { field: 'updateWebhook', text: `updateWebhook(id: "${WEBHOOK}", patch: {}) { errors { code } }` },
    { field: 'deleteWebhook', text: `deleteWebhook(id: "${WEBHOOK}") { errors { code } }` },
    { field: 'rotateWebhookSecret', text: `rotateWebhookSecret(id: "${WEBHOOK}") { secret errors { code } }` },
    { field: 'redeliverWebhook', text: `redeliverWebhook(id: "${WEBHOOK}", input: { deliveryId: "${DELIVERY}" }) { errors { code } }` },
    { field: 'createPost', text: 'createPost(input: { title: "1", body: "B" }) { id title }' },
    { field: 'addComment', text: 'addComment(input: { postId: "1", body: "B" }) { comment { id } errors { code } }' },
  ],
};
