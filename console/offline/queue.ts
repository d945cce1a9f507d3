// Offline queue: steps are stored and sent in order, and the server applies each once.
import { useSyncExternalStore } from 'react'
import type { FilesPurpose } from '../../contract/files.ts'
import { sendFile } from '../files/stored.ts'
import { clientKey } from '../kernel/clientKey.ts'
import { previewed } from '../session/preview.ts'
import { Fault, request } from '../session/request.ts'
import { token } from '../session/token.ts'
import { type Entry, photosOf, queueVersion, readEntry, withPaths } from './forms.ts'
import { offlineOwner, setOfflineOwner } from './mark.ts'
import { ownerNow } from './owner.ts'
import { getRow, getRows, putRow, removeRow, removeStep } from './store.ts'

type Photo = { key: string; owner: string; blob: Blob; name: string; path: string | null; time: number }
/** Retry interval while steps are queued, ms. */
const againMs = 15_000
/** How long steps stay visible after they were sent, ms, and how many. */
const shownMs = 86_400_000
const mostShown = 20
const purpose: FilesPurpose = 'attachment'

/** No answer, or one from a proxy: the server has not processed the call. */
export const isUnreachable = (error: unknown) => error instanceof Fault && [0, 502, 503, 504].includes(error.status)
/** Retryable: rate-limited, or the session has expired. */
const isPutOff = (error: unknown) => isUnreachable(error) || (error instanceof Fault && [205, 401, 429].includes(error.status))

let entries: readonly Entry[] = []
const listeners = new Set<() => void>()
const sentListeners = new Set<() => void>()
const show = (next: readonly Entry[]) => {
  entries = next
  for (const listener of listeners) listener()
}

/** Queued steps of an order. */
export const waitingOf = (entries: readonly Entry[], id: number) =>
  entries.filter(({ state, body }) => state === 'waiting' && body.OrderId === id)

/** Reloads the user's queue. Steps of other users are left alone. */
export const readQueue = async () => {
  const owner = ownerNow()
  const rows = owner ? (await getRows<unknown>('queue')).map(readEntry) : []
  show(rows.filter((entry) => entry !== undefined && entry.owner === owner) as Entry[])
  return entries
}
/** Steps of an order that an answer of that time does not contain: queued, or sent later. */
export const stepsSince = (of: readonly Entry[], orderId: number, asOf: number) =>
  of.filter(
    ({ state, body, applied, answeredAt }) =>
      body.OrderId === orderId && (state === 'waiting' || (state === 'sent' && applied === 1 && (answeredAt ?? 0) > asOf)),
  )
export const countWaiting = async () => (await readQueue()).filter(({ state }) => state === 'waiting').length
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export const useQueue = () => useSyncExternalStore(subscribe, () => entries)
/** Registers a callback for when steps have been sent, to refresh the screen. */
export const onSent = (listener: () => void) => {
  sentListeners.add(listener)
  return () => void sentListeners.delete(listener)
}

export const addStep = async (step: Pick<Entry, 'key' | 'path' | 'body' | 'title' | 'step'>) => {
  const owner = ownerNow()
  if (!owner) throw new Error('Steps are queued for a person.')
  if (!offlineOwner()) setOfflineOwner(owner)
  const entry: Omit<Entry, 'seq'> = {
    ...{ ...step, v: queueVersion, owner, takenAt: Date.now(), state: 'waiting', reason: null, applied: null, answeredAt: null },
  }
  await putRow('queue', entry)
  await readQueue()
  startSending()
}
type Sent = Pick<Entry, 'key' | 'path' | 'title' | 'step'> & { body: object; late: Record<string, unknown> }
/**
 * Sends a step with its photos, or queues it if others are queued or the server is unreachable. `late`: additional fields of the queued
 * call. Undefined: it was queued.
 */
export const sendOrQueue = async <T>({ body, late, ...step }: Sent, send: (body: object) => Promise<T>): Promise<T | undefined> => {
  const wait = () => addStep({ ...step, body: { ...body, ...late } })
  if (!navigator.onLine || (await countWaiting()) > 0) {
    await wait()
    return
  }
  try {
    return await send({ ...(await withUploads(body)), ClientKey: step.key })
  } catch (error) {
    if (!isUnreachable(error)) throw error
    // Same key, so a step that did arrive is not applied twice.
    await wait()
  }
}
export const removeEntry = async ({ seq, body }: Entry) => {
  await removeStep(seq, photosOf(body))
  await readQueue()
}

export const keepPhoto = async (blob: Blob, name: string) => {
  const photo: Photo = { key: clientKey(), owner: ownerNow() ?? '', blob, name, path: null, time: Date.now() }
  await putRow('photos', photo)
  return photo.key
}
export const photoOf = (key: string) => getRow<Photo>('photos', key)

/** Uploads the photos of a body. Uploading a photo again creates no new file. */
export const withUploads = async <T>(body: T): Promise<T> => {
  const paths = new Map<string, string>()
  for (const key of photosOf(body)) {
    const photo = await photoOf(key)
    if (!photo) continue
    const file = new File([photo.blob], photo.name, { type: photo.blob.type })
    const path = photo.path ?? (await sendFile(file, purpose, undefined, key)).FilePath
    if (!photo.path) await putRow('photos', { ...photo, path })
    paths.set(key, path)
  }
  return withPaths(body, paths)
}

type Taken = { Applied?: 0 | 1 } | null
const sendEntry = async (entry: Entry): Promise<'sent' | 'later'> => {
  try {
    const body = await withUploads(entry.body)
    // While photos were uploading, another tab may have signed in another user.
    if (entry.owner !== ownerNow()) return 'later'
    const times = { Version: queueVersion, ClientKey: entry.key, TakenAt: entry.takenAt, SentAt: Date.now() }
    const taken = await request<Taken>('POST', entry.path, { ...body, ...times })
    const answered = { state: 'sent', applied: taken?.Applied ?? 1, answeredAt: Date.now() } as const
    await putRow('queue', { ...entry, body: withoutPhotos(body as Entry['body']), ...answered } satisfies Entry)
    for (const key of photosOf(entry.body)) await removeRow('photos', key)
  } catch (error) {
    if (!(error instanceof Fault) || isPutOff(error)) return 'later'
    const fields = Object.values(error.details.Fields ?? {}).flat()
    const reason = [error.message, ...fields].join(' ')
    await putRow('queue', { ...entry, state: 'refused', reason, answeredAt: Date.now() } satisfies Entry)
  }
  return 'sent'
}
const withoutPhotos = (body: Entry['body']) => ({ OrderId: body.OrderId, Step: body.Step })

/** Deletes sent steps, and photos of abandoned forms, after a day. */
const forgetSent = async () => {
  const sent = entries.filter(({ state }) => state === 'sent')
  const old = sent.filter((entry, i) => i < sent.length - mostShown || Date.now() - (entry.answeredAt ?? entry.takenAt) > shownMs)
  for (const entry of old) await removeStep(entry.seq, [])
  const named = new Set((await getRows<{ body?: unknown }>('queue')).flatMap(({ body }) => photosOf(body)))
  for (const { key, time } of await getRows<Photo>('photos'))
    if (!named.has(key) && Date.now() - time > shownMs) await removeRow('photos', key)
}

const sendAll = async () => {
  await readQueue()
  let some = false
  for (const entry of entries.filter(({ state }) => state === 'waiting')) {
    // Signed out, or another user: the queue belongs to someone else.
    if (!token() || previewed() || entry.owner !== ownerNow()) break
    const result = await sendEntry(entry)
    await readQueue()
    if (result === 'later') break
    some = true
  }
  await forgetSent()
  await readQueue()
  if (some) for (const listener of sentListeners) listener()
}

let sending: Promise<void> | undefined
/** Only one tab sends at a time. Without locks (plain http) two may: the server applies each step once. */
export const sendNow = () =>
  (sending ??= (navigator.locks ? navigator.locks.request('penstock-queue', sendAll) : sendAll())
    .catch(() => undefined)
    .finally(() => {
      sending = undefined
    }))

let timer: ReturnType<typeof setInterval> | undefined
export const startSending = () => {
  if (!timer) {
    timer = setInterval(() => {
      if (entries.some(({ state }) => state === 'waiting')) void sendNow()
    }, againMs)
    addEventListener('online', () => void sendNow())
  }
  void sendNow()
}
