/** Settings of a gateway that one test asks faster than any caller may by default. */
export const MANY_REQUESTS = {
  persisted: { registrationsPerMinute: 1_000_000 },
  subscriptions: { websocket: { messagesPerSecond: 1_000_000, messageBurst: 1_000_000 } },
};
