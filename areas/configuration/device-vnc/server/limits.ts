/** Limits of panel sessions. Times in ms, sizes in bytes. */
export const standardLimits = {
  /** Pending tickets, with the same limits as those of the hub. */
  tickets: 1000,
  ticketMs: 60_000,
  connectionsPerSession: 4,
  shareOfTenant: 0.5,
  /** Open viewers. */
  ofPerson: 4,
  ofTenant: 20,
  ofServer: 60,
  /** Time to connect to a panel and sign in, and until its first update. */
  loginMs: 10_000,
  drawMs: 10_000,
  /** Interval of rights checks. Cached sessions are at most 4 s old. */
  recheckMs: 1000,
  /** Control ends after this time without input. */
  idleControlMs: 5 * 60_000,
  /** Timeouts: a browser that accepts no data, a panel that accepts no data, and a browser that does not answer. */
  stallMs: 30_000,
  pingMs: 15_000,
  goneMs: 45_000,
  closeMs: 2000,
  /** Above this amount of unsent data to the browser, the panel is not read. */
  pauseBytes: 1024 * 1024,
  /** Limits of a browser's data: one message, and the total rate, with overhead per frame. */
  message: 128 * 1024,
  bytesPerSecond: 64 * 1024,
  byteBurst: 512 * 1024,
  frameCost: 50,
  /** Keys, pointer events and update requests in one message; browsers send one. */
  messagesAtOnce: 500,
  /** Rate of control changes. */
  requestsPerSecond: 2,
  requestBurst: 10,
}
export type PanelLimits = typeof standardLimits
