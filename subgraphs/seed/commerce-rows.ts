import type { OrderStatus } from '../orders/order-status.ts';
import type { ConsignmentState } from '../shipping/legacy-backend/consignment.ts';
import { ADJECTIVES, CRAFTS, FAMILY_NAMES, GIVEN_NAMES, NOUNS, PLACES } from './book-words.ts';
import { type RandomSource, createRandomSource } from './random-source.ts';
import { instantOf, usersRegisteredAt } from './timeline.ts';

interface BookRow {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly price: string;
  readonly in_stock: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

interface OrderRow {
  readonly id: number;
  readonly user_id: number;
  readonly product_id: number;
  readonly qty: number;
  readonly unit_price: string;
  readonly total: string;
  readonly status: OrderStatus;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

interface PaymentRow {
  readonly id: number;
  readonly user_id: number;
  readonly order_id: number | null;
  readonly amount: number;
  readonly currency: string;
  readonly status: 'SUCCEEDED' | 'REFUNDED';
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

interface ConsignmentRow {
  readonly order_id: number;
  readonly pieces: number;
  readonly state: ConsignmentState;
  readonly handed_over_at: string;
}

/** Rows of the commerce tables, with the names of the columns. */
export interface CommerceRows {
  readonly books: readonly BookRow[];
  readonly orders: readonly OrderRow[];
  readonly payments: readonly PaymentRow[];
  readonly consignments: readonly ConsignmentRow[];
}

export interface CommerceSize {
  /** @defaultValue 200 */
  readonly users?: number;
  /** @defaultValue 500 */
  readonly books?: number;
  /** @defaultValue 2000 */
  readonly orders?: number;
  /** @defaultValue 1000 */
  readonly payments?: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** End of the sample data. Younger orders are still in progress. @unit milliseconds since the epoch */
const END_MS = instantOf(1, 1);

/** Number of books that exist from the start. */
const OPENING_BOOKS = 50;

/** Interval of orders of the first user, so that this user always has some. */
const FIRST_USERS_SHARE = 125;
const FIRST_USERS_STATUSES = ['SHIPPED', 'CONFIRMED', 'SHIPPED', 'CANCELLED', 'SHIPPED', 'PENDING', 'SHIPPED', 'CONFIRMED'] as const;

/** Creates books, orders, payments and parcels of the reference graph. The same size always results in the same rows. */
export function createCommerceRows({ users = 200, books = 500, orders = 2_000, payments = 1_000 }: CommerceSize = {}): CommerceRows {
  const bookRows = createBooks(createRandomSource(0xb00c), books);
  const orderRows = createOrders(createRandomSource(0x0dde), orders, users, bookRows);
  return {
    books: bookRows,
    orders: orderRows,
    payments: createPayments(createRandomSource(0xca54), payments, users, orderRows),
    consignments: createConsignments(createRandomSource(0x5417), orderRows),
  };
}

function createBooks(random: RandomSource, count: number): readonly BookRow[] {
  const titles = new Set<string>();
  while (titles.size < count) titles.add(createTitle(random));
  return Array.from(titles, (title, index) => {
    const createdAt = listedAt(index, count);
    const edits = random.chance(0.3) ? random.integer(1, 4) : 0;
    return {
      id: index + 1,
      title,
      author: `${random.pick(GIVEN_NAMES)} ${random.pick(FAMILY_NAMES)}`,
      price: `${random.integer(4, 64)}.${random.pick(['00', '50', '90', '95', '99'])}`,
      in_stock: index < OPENING_BOOKS || random.chance(0.9), // the first books are always available
      created_at: iso(createdAt),
      updated_at: iso(edits === 0 ? createdAt : Math.min(createdAt + edits * 9 * DAY_MS, END_MS)),
      version: 1 + edits,
    };
  });
}

/** Returns when a book was added: the first books at the start, the others evenly over the time. */
function listedAt(index: number, books: number): number {
  if (index < OPENING_BOOKS) return instantOf(0, 1) + index * 60_000;
  return instantOf(index - OPENING_BOOKS + 1, books - OPENING_BOOKS + 1);
}

/** Returns the number of available books after a `share` of the time; consistent with `listedAt`. */
function booksListedAt(share: number, books: number): number {
  return Math.min(books, OPENING_BOOKS + Math.floor(share * (books - OPENING_BOOKS)));
}

function createTitle(random: RandomSource): string {
  const shape = random.integer(1, 5);
  if (shape === 1) return `The ${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`;
  if (shape === 2) return `The ${random.pick(NOUNS)} of ${random.pick(PLACES)}`;
  if (shape === 3) return `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}, ${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`;
  if (shape === 4) return `${random.pick(CRAFTS)}: ${withArticle(random.pick(ADJECTIVES))} Companion`;
  return `${random.pick(GIVEN_NAMES)} and the ${random.pick(NOUNS)} of ${random.pick(PLACES)}`;
}

/** Adds the article by the first letter. No adjective in the list starts with a silent h, or with a u that sounds like `you`. */
function withArticle(adjective: string): string {
  return `${/^[AEIOU]/.test(adjective) ? 'An' : 'A'} ${adjective}`;
}

function createOrders(random: RandomSource, count: number, users: number, books: readonly BookRow[]): readonly OrderRow[] {
  return Array.from({ length: count }, (_, index) => {
    const isFirstUsers = index % FIRST_USERS_SHARE === 0;
    const createdAt = instantOf(index + 1, count + 1);
    const status = isFirstUsers
      ? (FIRST_USERS_STATUSES[(index / FIRST_USERS_SHARE) % FIRST_USERS_STATUSES.length] ?? 'SHIPPED')
      : statusAfter(random, END_MS - createdAt);
    const book = books[random.integer(0, booksListedAt((index + 1) / (count + 1), books.length) - 1)];
    const unitCents = centsOf(book?.price ?? '0.00');
    const qty = random.chance(0.7) ? random.integer(1, 2) : random.integer(3, 12);
    const version = status === 'PENDING' ? 1 : status === 'SHIPPED' ? 3 : 2;
    return {
      id: index + 1,
      user_id: isFirstUsers ? 1 : random.integer(1, usersRegisteredAt(createdAt, users)),
      product_id: book?.id ?? 1,
      qty,
      unit_price: money(unitCents),
      total: money(unitCents * qty),
      status,
      created_at: iso(createdAt),
      updated_at: iso(createdAt + (version - 1) * random.integer(2, 30) * HOUR_MS),
      version,
    };
  });
}

/** Selects a status by age: old orders are completed, and recent ones are in progress. */
function statusAfter(random: RandomSource, ageMs: number): OrderStatus {
  if (random.chance(0.08)) return 'CANCELLED';
  if (ageMs < 5 * DAY_MS) return random.chance(0.6) ? 'PENDING' : 'CONFIRMED';
  if (ageMs < 60 * DAY_MS) return random.pick(['PENDING', 'CONFIRMED', 'SHIPPED', 'SHIPPED']);
  return random.chance(0.93) ? 'SHIPPED' : 'CONFIRMED';
}

function createPayments(random: RandomSource, count: number, users: number, orders: readonly OrderRow[]): readonly PaymentRow[] {
  const paid = orders.filter(({ status }) => status !== 'PENDING');
  return Array.from({ length: count }, (_, index) => {
    // Every tenth payment has no order, such as a voucher or a donation.
    const order = index % 10 === 9 ? undefined : paid[Math.floor((index / count) * paid.length)];
    const createdAt = order ? Date.parse(order.created_at) + 5 * 60_000 : instantOf(index, count);
    const isRefunded = order?.status === 'CANCELLED';
    return {
      id: index + 1,
      user_id: order?.user_id ?? random.integer(1, usersRegisteredAt(createdAt, users)),
      order_id: order?.id ?? null,
      amount: order ? centsOf(order.total) : random.integer(1, 40) * 500,
      currency: order ? 'EUR' : random.pick(['EUR', 'USD', 'GBP', 'NOK', 'PLN']),
      status: isRefunded ? 'REFUNDED' : 'SUCCEEDED',
      created_at: iso(createdAt),
      updated_at: isRefunded && order ? order.updated_at : iso(createdAt),
      version: isRefunded ? 2 : 1,
    };
  });
}

function createConsignments(random: RandomSource, orders: readonly OrderRow[]): readonly ConsignmentRow[] {
  return orders
    .filter(({ status }) => status === 'SHIPPED')
    .map(({ id, qty, updated_at }) => ({
      order_id: id,
      pieces: qty,
      state: stateAfter(random, END_MS - Date.parse(updated_at)),
      handed_over_at: updated_at,
    }));
}

function stateAfter(random: RandomSource, ageMs: number): ConsignmentState {
  if (ageMs > 30 * DAY_MS) return random.chance(0.04) ? 90 : 30;
  return random.pick([10, 20, 20, 30]);
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function centsOf(price: string): number {
  return Number(price.replace('.', ''));
}

function money(cents: number): string {
  return (cents / 100).toFixed(2);
}
