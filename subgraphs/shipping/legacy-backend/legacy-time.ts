/** Formats an instant as the back end does: `31.01.2026 09:30:00`, UTC. */
export function toLegacyTime(instant: Date): string {
  const [date = '', time = ''] = instant.toISOString().split('T');
  return `${toLegacyDate(date)} ${time.slice(0, 8)}`;
}

/** Formats a day as the back end does: `31.01.2026`. */
export function toLegacyDay(instant: Date): string {
  return toLegacyDate(instant.toISOString().slice(0, 10));
}

function toLegacyDate(isoDate: string): string {
  return isoDate.split('-').toReversed().join('.');
}
