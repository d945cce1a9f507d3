/** Bounds of panel sessions. Times in ms, sizes in bytes. */
export const standardLimits = {
  /** Tickets that wait, in the same shape as those of the hub. */
  tickets: 1000,
  ticketMs: 60_000,
  connectionsPerSession: 4,
  shareOfTenant: 0.5,
  /** Open viewers. */
  ofPerson: 4,
  ofTenant: 20,
  ofServer: 60,
  /** To connect to a panel and sign in, and until it draws something. */
  loginMs: 10_000,
  drawMs: 10_000,
  /** How soon rights that end close a viewer. Sessions are believed for 4 s at most. */
  recheckMs: 1000,
  /** Control ends without input for so long. */
  idleControlMs: 5 * 60_000,
  /** A browser that takes nothing, a panel that takes nothing, and a browser that is gone. */
  stallMs: 30_000,
  pingMs: 15_000,
  goneMs: 45_000,
  closeMs: 2000,
  /** With more than this unsent to the browser, the panel is read no further. */
  pauseBytes: 1024 * 1024,
  /** What a browser sends: one message, and the rate of all. A frame costs some bytes more. */
  message: 128 * 1024,
  bytesPerSecond: 64 * 1024,
  byteBurst: 512 * 1024,
  frameCost: 50,
  /** Keys, pointers and requests for pictures in one message; browsers send one. */
  messagesAtOnce: 500,
  /** Taking and releasing control. */
  requestsPerSecond: 2,
  requestBurst: 10,
}
export type PanelLimits = typeof standardLimits
