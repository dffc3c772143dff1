import type { OrderStatus } from '../orders/order-status.ts';
import type { ConsignmentState } from '../shipping/legacy-backend/consignment.ts';
import { ADJECTIVES, CRAFTS, FAMILY_NAMES, GIVEN_NAMES, NOUNS, PLACES } from './book-words.ts';
import { type RandomSource, createRandomSource } from './random-source.ts';

export interface BookRow {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly price: string;
  readonly in_stock: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

export interface OrderRow {
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

export interface PaymentRow {
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

export interface ConsignmentRow {
  readonly order_id: number;
  readonly pieces: number;
  readonly state: ConsignmentState;
  readonly handed_over_at: string;
}

/** Rows of the commerce tables, under their columns' names. */
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

/** The two years in which everything happens. Fixed, so that the data is the same on every day. */
const FROM_MS = Date.UTC(2024, 9, 1);
const TO_MS = Date.UTC(2026, 9, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Every so many orders is one of the first user's, so that there is always something to show. */
const FIRST_USERS_SHARE = 125;
const FIRST_USERS_STATUSES = ['SHIPPED', 'CONFIRMED', 'SHIPPED', 'CANCELLED', 'SHIPPED', 'PENDING', 'SHIPPED', 'CONFIRMED'] as const;

/** Books, orders, payments and parcels of the reference graph; the same ones in every call with the same size. */
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
    const createdAt = momentOf(index, count) + random.integer(0, DAY_MS);
    const edits = random.chance(0.3) ? random.integer(1, 4) : 0;
    return {
      id: index + 1,
      title,
      author: `${random.pick(GIVEN_NAMES)} ${random.pick(FAMILY_NAMES)}`,
      price: `${random.integer(4, 64)}.${random.pick(['00', '50', '90', '95', '99'])}`,
      in_stock: index < 50 || random.chance(0.9), // the first ones can always be ordered
      created_at: iso(createdAt),
      updated_at: iso(edits === 0 ? createdAt : Math.min(createdAt + edits * 9 * DAY_MS, TO_MS)),
      version: 1 + edits,
    };
  });
}

function createTitle(random: RandomSource): string {
  const shape = random.integer(1, 5);
  if (shape === 1) return `The ${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`;
  if (shape === 2) return `The ${random.pick(NOUNS)} of ${random.pick(PLACES)}`;
  if (shape === 3) return `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}, ${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`;
  if (shape === 4) return `${random.pick(CRAFTS)}: A ${random.pick(ADJECTIVES)} Companion`;
  return `${random.pick(GIVEN_NAMES)} and the ${random.pick(NOUNS)} of ${random.pick(PLACES)}`;
}

function createOrders(random: RandomSource, count: number, users: number, books: readonly BookRow[]): readonly OrderRow[] {
  return Array.from({ length: count }, (_, index) => {
    const isFirstUsers = index % FIRST_USERS_SHARE === 0;
    const createdAt = momentOf(index, count);
    const status = isFirstUsers
      ? (FIRST_USERS_STATUSES[(index / FIRST_USERS_SHARE) % FIRST_USERS_STATUSES.length] ?? 'SHIPPED')
      : statusAfter(random, TO_MS - createdAt);
    const book = books[random.integer(0, books.length - 1)];
    const unitCents = centsOf(book?.price ?? '0.00');
    const qty = random.chance(0.7) ? random.integer(1, 2) : random.integer(3, 12);
    const version = status === 'PENDING' ? 1 : status === 'SHIPPED' ? 3 : 2;
    return {
      id: index + 1,
      user_id: isFirstUsers ? 1 : random.integer(1, users),
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

/** Old orders are done, one way or the other; those of the last days are still under way. */
function statusAfter(random: RandomSource, ageMs: number): OrderStatus {
  if (random.chance(0.08)) return 'CANCELLED';
  if (ageMs < 5 * DAY_MS) return random.chance(0.6) ? 'PENDING' : 'CONFIRMED';
  if (ageMs < 60 * DAY_MS) return random.pick(['PENDING', 'CONFIRMED', 'SHIPPED', 'SHIPPED']);
  return random.chance(0.93) ? 'SHIPPED' : 'CONFIRMED';
}

function createPayments(random: RandomSource, count: number, users: number, orders: readonly OrderRow[]): readonly PaymentRow[] {
  const paid = orders.filter(({ status }) => status !== 'PENDING');
  return Array.from({ length: count }, (_, index) => {
    // every tenth has no order: a voucher, a donation
    const order = index % 10 === 9 ? undefined : paid[Math.floor((index / count) * paid.length)];
    const createdAt = order ? Date.parse(order.created_at) + 5 * 60_000 : momentOf(index, count);
    const isRefunded = order?.status === 'CANCELLED';
    return {
      id: index + 1,
      user_id: order?.user_id ?? random.integer(1, users),
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
      state: stateAfter(random, TO_MS - Date.parse(updated_at)),
      handed_over_at: updated_at,
    }));
}

function stateAfter(random: RandomSource, ageMs: number): ConsignmentState {
  if (ageMs > 30 * DAY_MS) return random.chance(0.04) ? 90 : 30;
  return random.pick([10, 20, 20, 30]);
}

/** Evenly over the two years, with a ripple, so that some weeks are busier than others. */
function momentOf(index: number, count: number): number {
  const position = (index + 0.5) / count;
  const ripple = Math.sin(position * 40 * Math.PI) / 160;
  return Math.round(FROM_MS + (TO_MS - FROM_MS) * Math.min(Math.max(position + ripple, 0), 0.995));
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
