import { inFrames, type OpenSession, type SessionsFrame } from './frames.ts'

/** Maximum sessions per frame, and bytes of their filters as JSON: NATS limits messages to 1 MiB. */
const most = { entries: 2000, bytes: 400_000 }

/**
 * Reports this process's open sessions to the owner. Each change is a numbered frame; `tellAll` sends a full snapshot to a new owner, or
 * after a missed frame.
 */
export const tellSessions = (process: string, send: (frame: SessionsFrame) => void) => {
  const sessions = new Map<number, OpenSession>()
  let seq = 0
  const tell = (changed: OpenSession[], isFirst: boolean) =>
    send({ process, seq: ++seq, sessions: changed, ...(isFirst ? { isFirst } : {}) })
  return {
    seq: () => seq,
    of: (session: number) => sessions.get(session),
    count: () => sessions.size,
    changed: (session: OpenSession) => {
      if (session.kinds) sessions.set(session.session, session)
      else if (!sessions.delete(session.session)) return
      tell([session], false)
    },
    tellAll: () => {
      let isFirst = true
      for (const frame of inFrames([...sessions.values()], most, ({ kinds = [] }) => Buffer.byteLength(JSON.stringify(kinds)))) {
        tell(frame, isFirst)
        isFirst = false
      }
    },
  }
}
export type ToldSessions = ReturnType<typeof tellSessions>
