// What the owner tells the processes that answer calls beside it: committed changes of rows, ended sessions, outdated rights.
import type { Change, Database } from '../database/db.ts'
import type { Sessions } from '../identity/sessions.ts'
import { type News, parse } from './frames.ts'
import type { Nats } from './natsConnection.ts'

/** How long changes are collected for one frame, ms, and how many it holds: an import changes thousands of rows. */
const [collectMs, most] = [5, 2000]

type Teller = { nats: Nats; owner: string; database: Pick<Database, 'onChange'>; sessions: Pick<Sessions, 'onEnd' | 'onChanged'> }

/** Publishes news until the returned function is called. */
export const tellNews = ({ nats, owner, database, sessions }: Teller) => {
  const subject = nats.subject('news')
  let seq = 0
  let changes: Change[] = []
  let ended = new Map<string, string[]>()
  let rights = false
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    clearTimeout(timer)
    timer = undefined
    const news: News = { owner, seq: ++seq, changes, ended: [...ended].map(([reason, ids]) => ({ ids, reason })), rights }
    ;[changes, ended, rights] = [[], new Map(), false]
    // Without NATS, the missing number makes processes read everything again.
    nats.publish(subject, JSON.stringify(news))
  }
  const soon = () => {
    timer ??= setTimeout(send, collectMs)
    if (changes.length >= most) send()
  }
  const stops = [
    database.onChange((change) => {
      changes.push(change)
      soon()
    }),
    sessions.onEnd((id, reason) => {
      ended.set(reason, [...(ended.get(reason) ?? []), id])
      soon()
    }),
    sessions.onChanged(() => {
      rights = true
      soon()
    }),
    // A beat: a process that missed the last frame learns it from the next number.
    (
      (beat) => () =>
        clearInterval(beat)
    )(setInterval(soon, 1000)),
  ]
  return () => {
    for (const stop of stops) stop()
    clearTimeout(timer)
  }
}

/**
 * Hears news of the current owner. `missed`: a frame is missing, for example because NATS was away or another process became the owner,
 * so whatever is cached may be outdated. Returns how to end it.
 */
export const hearNews = (nats: Nats, isOwner: (owner: string) => boolean, hear: (news: News) => void, missed: () => void) => {
  let last: { owner: string; seq: number } | undefined
  return nats.subscribe(nats.subject('news'), (data) => {
    const news = parse<News>(data)
    if (!isOwner(news.owner)) return
    const isNext = last?.owner === news.owner && last.seq + 1 === news.seq
    last = { owner: news.owner, seq: news.seq }
    hear(news)
    if (!isNext) missed()
  })
}
