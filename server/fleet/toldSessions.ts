import type { OpenSession, SessionsFrame } from './frames.ts'

/** Sessions in one frame: some 400 KB. */
const atOnce = 2000

/**
 * The open sessions of gateways at this process, as the owner has them. Each change goes out in a numbered frame; `tellAll` sends
 * everything, for an owner that is new or has missed a frame.
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
      const all = [...sessions.values()]
      for (let from = 0; from === 0 || from < all.length; from += atOnce) tell(all.slice(from, from + atOnce), from === 0)
    },
  }
}
export type ToldSessions = ReturnType<typeof tellSessions>
