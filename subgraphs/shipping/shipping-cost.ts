const BASE_CENTS = 490;
const CENTS_PER_PIECE = 50;
const FREE_FROM_CENTS = 5_000;

/**
 * What the carrier asks for one order: 4.90 and 0.50 for each piece, nothing from a total of 50; express doubles it.
 * Reckoned in cents, so that no binary fraction shows.
 */
export function shippingCost(order: { readonly qty: number; readonly total: number }, express: boolean): number {
  if (Math.round(order.total * 100) >= FREE_FROM_CENTS) return 0;
  const cents = BASE_CENTS + CENTS_PER_PIECE * order.qty;
  return (express ? cents * 2 : cents) / 100;
}
