// Offline cache of answers and pictures, stored per user.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Answer, Call, Query } from '../../contract/call.ts'
import { type Fault, invoke, onSessionEnd, queryString, requestBytes } from '../session/request.ts'
import { startSession, useSession } from '../session/session.ts'
import { token } from '../session/token.ts'
import { setUserZone } from '../words/formats.ts'
import { offlineOwner, queueOnly, setOfflineOwner } from './mark.ts'
import { ownerNow } from './owner.ts'
import { isUnreachable } from './queue.ts'
import { clearStores, getAll, getRow, getRows, putRow, removeRow } from './store.ts'

type Kept = { id: string; data: unknown; time: number }
type Picture = { id: string; owner: string; blob: Blob; time: number }
/** Cached data is deleted after this long without contact to the server, ms. */
const longestMs = 7 * 86_400_000
/** Network timeout after which a cached answer is used, ms. */
const patienceMs = 8000
const mostPictures = 50 * 1024 * 1024

/** Deletes cached orders, articles and pictures. The queue and its photos stay for their owner. */
export const erase = async () => {
  ahead.clear()
  const queued = await getRows('queue')
  setOfflineOwner(queued.length ? queueOnly : null)
  await clearStores(['kept', 'pictures'])
}
// An expired session reads no cached data, even before the user has answered the dialog.
onSessionEnd(() => void erase().catch(() => undefined))

const idOf = (owner: string, path: string) => `${owner} ${path}`
const contact = 'contact'
/** The first paths requested on this page: prefetched at an offline start. */
const asked = new Set<string>()
const mostAhead = 8
const noteContact = (owner: string) => putRow('kept', { id: idOf(owner, contact), data: [...asked], time: Date.now() } satisfies Kept)
/** Prefetched rows by Id, for the first render of the first screen. */
const ahead = new Map<string, Kept>()
const readAhead = async (owner: string, { data: paths }: Kept) => {
  if (!Array.isArray(paths)) return
  const rows = await getAll<Kept>(
    'kept',
    paths.map((path) => idOf(owner, String(path))),
  )
  for (const row of rows) if (row) ahead.set(row.id, row)
}

/** A user's cached answer with the last contact, unless it has expired. */
const keptRows = async (owner: string, path: string): Promise<{ row?: Kept | undefined; last?: Kept }> => {
  const [last, row] = await getAll<Kept>('kept', [idOf(owner, contact), idOf(owner, path)])
  if (last && Date.now() - last.time <= longestMs) return { row, last }
  if (last) await erase()
  return {}
}
const keptRow = async (owner: string, path: string) => (await keptRows(owner, path)).row
/** Caches an answer, once the user has opened their orders in this browser. */
export const keepAnswer = async (path: string, data: unknown) => {
  const owner = ownerNow()
  if (!owner || owner !== offlineOwner()) return
  ahead.clear()
  await putRow('kept', { id: idOf(owner, path), data, time: Date.now() } satisfies Kept)
  await noteContact(owner)
}

export const keptAnswer = async (path: string): Promise<unknown> => {
  const owner = ownerNow()
  return owner && (await keptRow(owner, path))?.data
}
/** Deletes stale cached answers. */
export const forgetKept = async (isStale: (path: string) => boolean) => {
  const owner = ownerNow()
  for (const { id } of await getRows<Kept>('kept'))
    if (!owner || !id.startsWith(`${owner} `) || isStale(id.slice(owner.length + 1))) await removeRow('kept', id)
}

const slow = Symbol('slow')
/** The server's answer, which is cached; if unreachable, the cached answer with its time. */
export const askOrKept = async <T>(path: string, ask: () => Promise<T>): Promise<{ data: T; keptAt: number | null }> => {
  const owner = ownerNow()
  const kept = owner ? await keptRow(owner, path).catch(() => undefined) : undefined
  const old = kept && { data: kept.data as T, keptAt: kept.time }
  if (old && !navigator.onLine) return old
  try {
    const asked = ask()
    const data = old
      ? await Promise.race([asked, new Promise<typeof slow>((done) => setTimeout(() => done(slow), patienceMs))])
      : await asked
    if (data === slow) {
      asked.catch(() => undefined)
      return old!
    }
    // A full store must not hide the answer. Answers for another user are not cached.
    if (owner === ownerNow()) await keepAnswer(path, data).catch(() => undefined)
    return { data: data as T, keptAt: null }
  } catch (error) {
    if (old && isUnreachable(error)) return old
    throw error
  }
}
export const pathOf = <C extends Call>(c: C, query?: Query<C>) => `${c.path}${queryString(query as object | undefined)}`

type Asked<T> = { path: string; ask: () => Promise<T>; of: string[]; enabled?: boolean }
/** Like `useCall`, but falls back to the cached answer while the server is unreachable. */
export const useKeptAnswer = <T>({ path, ask, of, enabled = true }: Asked<T>) => {
  if (enabled && asked.size < mostAhead) asked.add(path)
  const owner = ownerNow()
  const early = owner ? ahead.get(idOf(owner, path)) : undefined
  const { data, ...query } = useQuery<{ data: T; keptAt: number | null }, Fault>({
    queryKey: [of, 'kept', path],
    queryFn: () => askOrKept(path, ask),
    networkMode: 'always',
    enabled,
    ...(early && { initialData: { data: early.data as T, keptAt: early.time }, initialDataUpdatedAt: early.time }),
  })
  const { refetch } = query
  useEffect(() => {
    const again = () => void refetch()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [refetch])
  const keptAt = data?.keptAt ?? null
  return { ...query, data: data?.data, keptAt, asOf: keptAt ?? query.dataUpdatedAt }
}
export const useKept = <C extends Call>(c: C, { query, of, enabled = true }: { query?: Query<C>; of: string[]; enabled?: boolean }) =>
  useKeptAnswer<Answer<C>>({ path: pathOf(c, query), ask: () => invoke(c, { query }), of, enabled })

/** Cached session for starting offline. */
const sessionPath = 'session'
/** Recognizes a token without storing it. */
const markOf = (of: string | null) => [...(of ?? '')].reduce((mark, sign) => (Math.imul(mark, 31) + sign.charCodeAt(0)) | 0, 7)
type Session = NonNullable<ReturnType<typeof useSession.getState>['session']>
/** The session restored from this browser. Caching it again would look like contact with the server. */
let restored: Session | undefined
export const keepSession = async () => {
  const [owner, { session }] = [ownerNow(), useSession.getState()]
  if (!owner || !session || session === restored) return
  setOfflineOwner(owner)
  await keepAnswer(sessionPath, { ...session, codes: [...session.codes], mark: markOf(token()) })
}
export const restoreSession = async (error: unknown): Promise<boolean> => {
  const owner = offlineOwner()
  if (!isUnreachable(error) || !owner || owner === queueOnly) return false
  const { row, last } = await keptRows(owner, sessionPath)
  if (!row || !last) return false
  // Runs before the token check: nothing may happen between that check and the session.
  await readAhead(owner, last).catch(() => undefined)
  const { mark, ...session } = row.data as Omit<Session, 'codes'> & { codes: string[]; mark?: number }
  // Another user has signed in since.
  if (!token() || mark !== markOf(token())) {
    ahead.clear()
    return false
  }
  setUserZone(session.user.TimeZoneKey)
  restored = { ...session, codes: new Set(session.codes) }
  useSession.setState({ session: restored, readWith: token() })
  // After a sign-out, no session remains to renew.
  addEventListener('online', () => token() && void startSession().catch(() => undefined), { once: true })
  return true
}

const picture = /files\/\d+\/[0-9a-f]{32}\.(?:webp|jpg|png|gif)/g
/** Paths of the pictures in an answer. */
export const picturesIn = (data: unknown): string[] => [...new Set(JSON.stringify(data).match(picture) ?? [])]
/** Caches these pictures in order, up to the limit, and deletes others. */
export const keepPictures = async (paths: readonly string[]) => {
  const owner = ownerNow()
  if (!owner) return
  const held = new Map((await getRows<Picture>('pictures')).map((row) => [row.id, row]))
  let room = mostPictures
  const wanted = new Set(paths.map((path) => idOf(owner, path)))
  for (const id of held.keys()) if (!wanted.has(id)) await removeRow('pictures', id)
  for (const path of paths) {
    const id = idOf(owner, path)
    const blob = held.get(id)?.blob ?? new Blob([await requestBytes(`/${path}`, AbortSignal.timeout(55_000))])
    room -= blob.size
    if (room < 0) return void removeRow('pictures', id)
    if (!held.has(id)) await putRow('pictures', { id, owner, blob, time: Date.now() } satisfies Picture)
  }
}
export const keptPicture = async (path: string): Promise<Blob | undefined> => {
  const owner = ownerNow()
  return owner ? (await getRow<Picture>('pictures', idOf(owner, path)))?.blob : undefined
}
