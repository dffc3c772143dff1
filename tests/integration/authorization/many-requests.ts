/** Settings of a gateway that receives more requests from one test than a caller may send by default. */
export const MANY_REQUESTS = {
  persisted: { registrationsPerMinute: 1_000_000 },
  subscriptions: { websocket: { messagesPerSecond: 1_000_000, messageBurst: 1_000_000 } },
};
