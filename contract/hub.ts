// The live hub at /api/hubs/sysmsghub: SignalR JSON protocol. Methods a client invokes, and messages the server sends.

/** Points that one connection may subscribe to, and that one call may name. */
export const mostHubPoints = 2000

/** Invoked by the client. Arguments in order; each answers by completion. */
export const hubMethods = {
  /** (UserId) */
  LoginConnect: 'LoginConnect',
  /**
   * (ParaIds[]): adds; at most 2,000 a connection. Answers with the latest values it has, as `Values` does. Foreign ids are left out.
   * Waits its turn when its person asks for much over all connections; `tooMany` when too much waits.
   */
  Subscribe: 'Subscribe',
  /** (ParaIds[]) */
  Unsubscribe: 'Unsubscribe',
  /** (Language): changes the language of texts on this connection, which negotiation has set. */
  SetLanguage: 'SetLanguage',
  /**
   * (): answers immediately. A visible page asks when it has heard nothing for a while, because a dead line never closes its socket.
   * For a minute after that `Alive` comes every 2 s.
   */
  Ask: 'Ask',
} as const

/** One point's newest reading: [ParaId, Time in epoch ms, Value, Quality]. */
export type LiveValue = [ParaId: number, Time: number, Value: number | null, Quality: number]

/** Sent by the server. */
export type HubMessages = {
  /** Newest values since the last push, at most 10 a second. Seq grows by one with each push on this connection. */
  Values: [{ Seq: number; Values: LiveValue[] }]
  /** A row was created, changed or removed; Id 0 means many rows. `session`: the person's language, zone or rights changed. */
  Changed: [{ Resource: string; Id: number; Verb: 'create' | 'update' | 'remove' }]
  /** An alarm was raised or recovered. */
  Alarm: [
    {
      Id: number
      Event: 'raised' | 'recovered'
      AlarmLevel: number
      DeviceId: number | null
      ParaId: number | null
      RuleName: string
      Value: number | null
      Time: number
    },
  ]
  /** A notice came or went (Id 0: many), or the person has read or pinned some elsewhere: counts and lists are to be read again. */
  Notice: [{ Id: number; BizType: number; Event: 'published' | 'removed' | 'state' }]
  /** The line works. Only a client that asks gets it. */
  Alive: []
  /** The session has ended: `logout`, `displaced`, or a reason that `endReasons` has words for (areas/session.ts). */
  Ended: [{ Reason: string }]
}
