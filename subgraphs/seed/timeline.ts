/** Fixed period of two years for all sample data. @unit milliseconds since the epoch */
const FROM_MS = Date.UTC(2024, 9, 1);
const TO_MS = Date.UTC(2026, 9, 1);

/** Number of users who registered before the first post and the first order. */
const FIRST_USERS = 20;

/** Returns the time of item `index` of `count`: in order, evenly over the period, and never twice the same. */
export function instantOf(index: number, count: number): number {
  return Math.floor(FROM_MS + ((TO_MS - FROM_MS) * index) / count);
}

/** Returns how many of `users` users are registered at a time. */
export function usersRegisteredAt(instantMs: number, users: number): number {
  const share = (instantMs - FROM_MS) / (TO_MS - FROM_MS);
  return Math.min(users, FIRST_USERS + Math.floor(share * (users - FIRST_USERS)));
}

/** Returns the registration time of a user by number, starting from 1; consistent with `usersRegisteredAt`. */
export function registrationOf(user: number, users: number): number {
  // The first users register within the first hours. Later registrations are more than an hour apart.
  return user <= FIRST_USERS ? FROM_MS + (user - 1) * 60_000 : instantOf(user - FIRST_USERS, users - FIRST_USERS + 1);
}
