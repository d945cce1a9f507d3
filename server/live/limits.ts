import { mostHubPoints } from '../../contract/hub.ts'

/** Bounds of the hub. Times in ms, sizes in bytes. */
export const standardLimits = {
  /** Points one connection may subscribe to. */
  points: mostHubPoints,
  /** One message from a client, and what may wait for its end. */
  message: 64 * 1024,
  /** Frames of one message, and packets of one frame: each costs memory beside its bytes. Browsers send whole messages. */
  fragments: 16,
  chunks: 256,
  /** Two value pushes on one connection are at least this far apart: ten a second. */
  pushMs: 100,
  /** With more than this unsent, values wait and the newest replaces the older. */
  pauseBytes: 256 * 1024,
  /** With more than this unsent, the connection is dropped: it reconnects and reloads. */
  dropBytes: 1024 * 1024,
  /** Nothing of what was sent has left for so long: dropped. */
  stallMs: 60_000,
  /** SignalR's defaults for keep-alive, time-out and handshake. */
  pingMs: 15_000,
  /** How often and for how long a client that has asked hears that the line works. */
  aliveMs: 2000,
  aliveForMs: 60_000,
  silenceMs: 30_000,
  handshakeMs: 15_000,
  /** Ruling 39. */
  ticketMs: 60_000,
  tickets: 10_000,
  /** How often session and grants of an open connection are looked at again. */
  recheckMs: 60_000,
  /** The first time comes soon: the session may have ended between negotiation and upgrade. */
  firstRecheckMs: 4500,
  /** People whose connections are checked together, and how long a person rests after a check. */
  rechecksAtOnce: 4,
  recheckRestMs: 250,
  connections: 5000,
  /** Limits of connections and tickets, so that no tenant uses them all. */
  shareOfTenant: 0.5,
  connectionsPerSession: 50,
  /** Calls of one client: a burst, then a rate per second. */
  callBurst: 200,
  callsPerSecond: 50,
  /** Ids of one person's calls, over all connections. A browser full of large dashboards reconnects within the burst or some seconds later. */
  idsPerSecond: 5000,
  idBurst: 20_000,
  /** Cost of a call without its ids. */
  callCost: 10,
  /** Ids that may wait for their turn; a call beyond them is refused. */
  idsWaiting: 100_000,
  /** Questions of one person that may wait for the database: a call, a recheck, and some to spare. */
  questionsWaiting: 8,
  /** Points of one question. */
  pointsAsked: 20_000,
  /** Byte limit per person over all connections, and overhead per message. Excess connections are cut before parsing. */
  bytesPerSecond: 256 * 1024,
  byteBurst: 4 * 1024 * 1024,
  messageCost: 500,
  /** A closed connection gets so long to take its last words. */
  closeMs: 2000,
}
export type Limits = typeof standardLimits
