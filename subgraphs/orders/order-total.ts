/** Price of one piece times the number of pieces, reckoned in cents: binary fractions of amounts would drift apart from the database's. */
export function orderTotal(unitPrice: number, qty: number): number {
  return (Math.round(unitPrice * 100) * qty) / 100;
}
