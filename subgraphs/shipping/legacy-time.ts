/** Formats an instant for the legacy back end: `31.01.2026 09:30:00`, UTC. */
export function toLegacyTime(instant: Date): string {
  const [date = '', time = ''] = instant.toISOString().split('T');
  return `${date.split('-').toReversed().join('.')} ${time.slice(0, 8)}`;
}

/** Parses an instant in this format; undefined when the text is invalid. */
export function parseLegacyTime(text: string): Date | undefined {
  const parts = /^(\d{2})\.(\d{2})\.(\d{4}) (\d{2}:\d{2}:\d{2})$/.exec(text);
  if (parts === null) return undefined;
  const iso = `${parts[3]}-${parts[2]}-${parts[1]}T${parts[4]}.000Z`;
  const instant = new Date(iso);
  // Without this comparison, 31.02. would become a day in March.
  return Number.isNaN(instant.getTime()) || instant.toISOString() !== iso ? undefined : instant;
}
