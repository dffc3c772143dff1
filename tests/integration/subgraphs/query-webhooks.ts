import { randomUUID } from 'node:crypto';
import { type GraphResponse, type Caller, type SubgraphsStack } from '../../support/stack/subgraphs-stack.ts';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly isOrdered: boolean;
  readonly state: string;
  readonly disabledReason: string | null;
  readonly ownerId: string;
  readonly version: number;
}

export interface Payload {
  readonly webhook: Webhook | null;
  readonly secret?: string | null;
  readonly previousExpiresAt?: string | null;
  readonly errors: readonly { readonly field: string; readonly code: string }[];
}

/** History of a delivery. */
interface Past {
  /** @defaultValue 3 */
  readonly attempts?: number;
  /** Code of the last attempt. @defaultValue none */
  readonly code?: string | null;
}

export const WEBHOOK = '{ id url events isOrdered state disabledReason ownerId version }';
const PAYLOAD = `webhook ${WEBHOOK} errors { field code }`;
const MUTATIONS = {
  create: `mutation ($input: CreateWebhookInput!, $key: String) { result: createWebhook(input: $input, idempotencyKey: $key) { ${PAYLOAD} secret } }`,
  update: `mutation ($id: ID!, $patch: UpdateWebhookInput!, $version: Int) { result: updateWebhook(id: $id, patch: $patch, expectedVersion: $version) { ${PAYLOAD} } }`,
  delete: `mutation ($id: ID!, $version: Int) { result: deleteWebhook(id: $id, expectedVersion: $version) { ${PAYLOAD} } }`,
  rotate: `mutation ($id: ID!, $version: Int, $key: String) { result: rotateWebhookSecret(id: $id, expectedVersion: $version, idempotencyKey: $key) { ${PAYLOAD} secret previousExpiresAt } }`,
};

/** Input of a valid registration. */
export const NEW = { url: 'https://hooks.example.com/in', events: ['order.created'] };

/** Creates functions that query the subgraph, and that produce states which otherwise require a receiver. */
export function queryWebhooks(stack: () => SubgraphsStack) {
  const query = <Data>(query: string, as?: Caller, variables: Readonly<Record<string, unknown>> = {}): Promise<GraphResponse<Data>> =>
    stack().query<Data>('webhooks', { query, as, variables });
  const mutate = (name: keyof typeof MUTATIONS, variables: Readonly<Record<string, unknown>>, as?: Caller) =>
    query<{ result: Payload }>(MUTATIONS[name], as, variables);

  /** Returns the errors of a payload, such as `CONFLICT patch.url`. */
  const userErrors = ({ data }: GraphResponse<{ result: Payload }>) =>
    data?.result.errors.map(({ field, code }) => `${code} ${field}`.trim());

  const rows = async (text: string, parameters: readonly unknown[] = []) =>
    stack().database.scripts(async ({ query }) => query(text, parameters));

  async function newWebhook(as: Caller, input: object = {}): Promise<Webhook> {
    const { data, text } = await mutate('create', { input: { ...NEW, ...input } }, as);
    if (!data?.result.webhook) throw new Error(text);
    return data.result.webhook;
  }

  /** Activates a webhook as a successful ping does. */
  async function activate({ id }: Webhook): Promise<void> {
    await rows(`update webhooks.endpoints set state = 'ACTIVE' where id = $1`, [id]);
    await rows(`update webhooks.deliveries set state = 'DELIVERED', finished_at = now() where endpoint_id = $1 and state = 'PENDING'`, [
      id,
    ]);
  }

  async function newDelivery({ id }: Webhook, state: string, { attempts = 3, code = null }: Past = {}): Promise<string> {
    const text = `insert into webhooks.deliveries
      (endpoint_id, message_id, event, event_id, body, state, attempts, last_code, next_attempt_at, last_attempt_at, finished_at)
      values ($1, $2, 'order.created', $3, '{}', $4, $5, $6, now() + interval '1 day',
        case when $5 = 0 then null else now() end, case when $4 = 'PENDING' then null else now() end) returning id::text as id`;
    const [row] = await rows(text, [id, `msg_${randomUUID()}`, randomUUID(), state, attempts, code]);
    return String(row?.['id']);
  }

  return { query, mutate, userErrors, rows, newWebhook, activate, newDelivery };
}
