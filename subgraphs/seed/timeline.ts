/** The two years in which all sample data happens. Fixed, so that it is the same on every day. @unit milliseconds since the epoch */
const FROM_MS = Date.UTC(2024, 9, 1);
const TO_MS = Date.UTC(2026, 9, 1);

/** People registered before anybody wrote or bought anything. */
const FIRST_USERS = 20;

/** The instant of item `index` of `count`: in order, evenly over the two years, never the same twice. */
export function instantOf(index: number, count: number): number {
  return Math.floor(FROM_MS + ((TO_MS - FROM_MS) * index) / count);
}

/** How many of `users` users are registered at an instant. */
export function usersRegisteredAt(instantMs: number, users: number): number {
  const share = (instantMs - FROM_MS) / (TO_MS - FROM_MS);
  return Math.min(users, FIRST_USERS + Math.floor(share * (users - FIRST_USERS)));
}

/** When the user with this number, from 1, registered; fits `usersRegisteredAt`. */
export function registrationOf(user: number, users: number): number {
  // The first ones within the first hours; an hour is less than the distance of two later ones.
  return user <= FIRST_USERS ? FROM_MS + (user - 1) * 60_000 : instantOf(user - FIRST_USERS, users - FIRST_USERS + 1);
}
