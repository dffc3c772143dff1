/** Reference to an entity that other subgraphs resolve. */
interface Found<Type extends string> {
  readonly __typename: Type;
  readonly id: string;
}

export type UserParent = Found<'User'>;
export type PostParent = Found<'Post'>;
export type CommentParent = Found<'Comment'>;
export type BookParent = Found<'Book'>;
export type OrderParent = Found<'Order'>;
export type PaymentParent = Found<'Payment'>;
export type WebhookParent = Found<'Webhook'>;
export type WebhookDeliveryParent = Found<'WebhookDelivery'>;
