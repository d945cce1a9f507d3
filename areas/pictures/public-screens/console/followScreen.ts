import { feed } from '../../../../console/live/points.ts'
import { Fault, invoke } from '../../../../console/session/request.ts'
import type { Standing } from '../../flowcharts/contract.ts'
import { type SharedScreen, sharedCalls } from '../contract.ts'

const followMs = 1000
const hiddenMs = 30_000
/** Refresh interval of counts, drawings and history, ms. */
const showMs = 30_000

export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

type Visit = { Visit: string; Entry?: number }
export type Seen = { screen: SharedScreen; alarms: readonly Standing[]; visit: Visit }
type Follower = {
  /** False if another follower has started. */
  here: () => boolean
  seen: (seen: Seen) => void
  /** The server is unreachable; the screen shows old values. */
  lost: () => void
  /** The share has ended, or the server has dropped the visit. */
  over: () => void
}

/** Keeps one screen up to date: values each second, the rest each half minute, and a picture when a new version is published. */
export const followScreen = async (of: Visit, { here, seen, lost, over }: Follower) => {
  let screen: SharedScreen | undefined
  let shownAt = 0
  let Seq: number | undefined
  while (here()) {
    try {
      if (!screen || performance.now() - shownAt > showMs) {
        screen = await invoke(sharedCalls.show, { body: of })
        shownAt = performance.now()
      }
      const news = await invoke(sharedCalls.follow, { body: { ...of, ...(Seq === undefined ? {} : { Seq }) } })
      Seq = news.Seq
      if (!here()) return
      feed(news.Values)
      if ('Picture' in screen && news.Version !== screen.Picture.Version) shownAt = Number.NEGATIVE_INFINITY
      seen({ screen, alarms: news.Alarms, visit: of })
    } catch (error) {
      if (!here()) return
      if (error instanceof Fault && error.status === 404) return over()
      lost()
      await pause(2 * followMs)
    }
    await pause(document.hidden ? hiddenMs : followMs)
  }
}
