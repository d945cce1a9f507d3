import type { OpenSession, SessionsFrame } from './frames.ts'

/** Maximum sessions per frame, and bytes of their filters as JSON: NATS limits messages to 1 MiB. */
const [atOnce, bytesAtOnce] = [2000, 400_000]

/** At least one session each. */
function* inFrames(sessions: readonly OpenSession[]) {
  let [frame, bytes]: [OpenSession[], number] = [[], 0]
  for (const session of sessions) {
    const more = Buffer.byteLength(JSON.stringify(session.kinds ?? []))
    if (frame.length && (frame.length === atOnce || bytes + more > bytesAtOnce)) {
      yield frame
      ;[frame, bytes] = [[], 0]
    }
    frame.push(session)
    bytes += more
  }
  yield frame
}

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
      for (const frame of inFrames([...sessions.values()])) {
        tell(frame, isFirst)
        isFirst = false
      }
    },
  }
}
export type ToldSessions = ReturnType<typeof tellSessions>
