// Events from the owner to API processes: committed changes, ended sessions, outdated rights, live values and messages to consoles.
import type { LiveValue } from '../../contract/hub.ts'
import type { Database } from '../database/db.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { Whose } from '../identity/whose.ts'
import type { Hub } from '../live/hub.ts'
import { type News, parse } from './frames.ts'
import type { Nats } from './natsConnection.ts'

/** Batching: interval in ms, and maximum events per frame, since an import changes thousands of rows. A message in all languages counts as ten. */
const [collectMs, most, ofMessage] = [5, 2000, 10]

type Told = Omit<News, 'owner' | 'seq' | 'rights'> & { rights: Whose[] }
/** Halves lists of news. Halves the addressees of a single message. Nothing if there is no list to halve. */
const halves = ({ changes, ended, rights, values, sent }: Told): Told[] => {
  const half = <T>(list: readonly T[], isSecond: boolean) => {
    const middle = Math.ceil(list.length / 2)
    return isSecond ? list.slice(middle) : list.slice(0, middle)
  }
  const isOne = sent.length === 1
  const users = isOne ? sent[0]!.audience.users : undefined
  const of = (isSecond: boolean): Told => ({
    changes: half(changes, isSecond),
    ended: ended.map(({ ids, reason }) => ({ ids: half(ids, isSecond), reason })),
    rights: half(rights, isSecond),
    values: half(values, isSecond),
    sent: users ? [{ ...sent[0]!, audience: { ...sent[0]!.audience, users: half(users, isSecond) } }] : half(sent, isSecond),
  })
  const longest = Math.max(
    changes.length,
    rights.length,
    values.length,
    sent.length,
    users?.length ?? 0,
    ...ended.map(({ ids }) => ids.length),
  )
  return longest > 1 ? [of(false), of(true)] : []
}

type Teller = {
  nats: Nats
  owner: string
  database: Pick<Database, 'onChange'>
  sessions: Pick<Sessions, 'onEnd' | 'onChanged'>
  hub: Pick<Hub, 'onSent'>
  /** Calls its listener with values that moved. */
  onMoved: (listener: (values: readonly LiveValue[]) => void) => () => void
}

/** Publishes news until the returned function is called. */
export const tellNews = ({ nats, owner, database, sessions, hub, onMoved }: Teller) => {
  const subject = nats.subject('news')
  let seq = 0
  const collect = (): Omit<News, 'owner' | 'seq' | 'ended' | 'rights' | 'values'> & {
    ended: Map<string, string[]>
    rights: Map<string, Whose>
    values: Map<number, LiveValue>
  } => ({
    ...{ changes: [], ended: new Map(), rights: new Map(), values: new Map(), sent: [] },
  })
  let news = collect()
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    clearTimeout(timer)
    timer = undefined
    const { ended, rights, values, ...rest } = news
    news = collect()
    publish({
      ...rest,
      rights: [...rights.values()],
      values: [...values.values()],
      ended: [...ended].map(([reason, ids]) => ({ ids, reason })),
    })
  }
  /** NATS limits messages: what is longer goes as several frames. */
  const publish = (told: Told) => {
    // Processes of an earlier version read whether there are any rights.
    const rights = told.rights.length > 0 && told.rights
    const frame = Buffer.from(JSON.stringify({ owner, seq: seq + 1, ...told, rights } satisfies News))
    const parts = frame.length > nats.mostBytes() ? halves(told) : []
    if (parts.length) return parts.forEach(publish)
    seq++
    // If it is lost, the gap in the sequence makes API processes reload.
    nats.publish(subject, frame)
  }
  const soon = () => {
    timer ??= setTimeout(send, collectMs)
    if (news.changes.length + news.values.size + news.sent.length * ofMessage >= most) send()
  }
  // Without a heartbeat, a lost last frame would go unnoticed.
  const beat = setInterval(soon, 1000)
  const stops = [
    database.onChange((change) => {
      news.changes.push(change)
      soon()
    }),
    sessions.onEnd((id, reason) => {
      const ids = news.ended.get(reason)
      if (ids) ids.push(id)
      else news.ended.set(reason, [id])
      soon()
    }),
    sessions.onChanged((_of, whose) => {
      news.rights.set(JSON.stringify(whose), whose)
      soon()
    }),
    hub.onSent((sent) => {
      // API processes create these from the changes.
      if (sent.message === 'Changed') return
      news.sent.push(sent)
      soon()
    }),
    onMoved((values) => {
      for (const value of values) {
        news.values.set(value[0], value)
        soon()
      }
    }),
    () => clearInterval(beat),
  ]
  return () => {
    for (const stop of stops) stop()
    clearTimeout(timer)
  }
}

/**
 * Subscribes to the news of the current owner. Calls `missed` after a gap, for example if NATS was unavailable or the owner changed: caches may be
 * outdated. Returns an unsubscribe function.
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
