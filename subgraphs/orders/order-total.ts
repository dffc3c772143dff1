/** Computes the price of an order in cents, because binary fractions would differ from the amounts in the database. */
export function orderTotal(unitPrice: number, qty: number): number {
  return (Math.round(unitPrice * 100) * qty) / 100;
}
