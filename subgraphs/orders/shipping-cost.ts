const BASE_CENTS = 490;
const CENTS_PER_PIECE = 50;
const FREE_FROM_CENTS = 5_000;

/**
 * Computes the shipping cost of an order: 4.90 plus 0.50 per piece, free from a total of 50; express doubles it. The computation uses cents
 * to avoid binary fractions.
 */
export function shippingCost(order: { readonly qty: number; readonly total: number }, express: boolean): number {
  if (Math.round(order.total * 100) >= FREE_FROM_CENTS) return 0;
  const cents = BASE_CENTS + CENTS_PER_PIECE * order.qty;
  return (express ? cents * 2 : cents) / 100;
}
