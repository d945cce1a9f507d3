// Caches the build files of my orders in the browser, so that the console starts offline.
import { useSession } from '../session/session.ts'
import { language } from '../words/words.ts'
import { isBuilt } from './built.ts'
import { keepSession } from './kept.ts'
import { offlineOwner } from './mark.ts'
import { ownerNow } from './owner.ts'
import { startSending } from './queue.ts'

const cacheName = 'penstock-build'
type Listed = { files: string[]; languages: Record<string, string[]> }

/** Reason why offline work is unavailable. */
export type Lack = 'insecure' | 'off'

/** Caches a file of the build, unless a captive portal answered. */
const add = async (cache: Cache, path: string) => {
  const answer = await fetch(path)
  if (!isBuilt(path, answer)) throw new Error(`${path} is not what it should be.`)
  await cache.put(path, answer)
}
const fill = async ({ files, languages }: Listed) => {
  const cache = await caches.open(cacheName)
  const wanted = [...files, ...(languages[language()] ?? [])]
  const held = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  await Promise.all(wanted.filter((path) => !held.has(path)).map((path) => add(cache, path)))
  // Cached last, after all files it references; its name is the same in each version.
  await add(cache, '/console.html')
  const current = new Set([...wanted, '/console.html'])
  for (const path of held) if (!current.has(path)) await cache.delete(path)
}

const install = async (): Promise<Lack | undefined> => {
  startSending()
  const keep = () => keepSession().catch(() => undefined)
  await keep()
  // A role preview or a new password changes the token.
  useSession.subscribe((now, before) => {
    if (now.readWith !== before.readWith && ownerNow() && ownerNow() === offlineOwner()) void keep()
  })
  if (!isSecureContext || !('serviceWorker' in navigator)) return 'insecure'
  const answer = await fetch('/offline.json')
  const listed = answer.ok ? ((await answer.json()) as Listed | null) : null
  if (!listed) {
    // Disabled: the server's worker unregisters itself.
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.update().catch(() => undefined)
    return 'off'
  }
  await fill(listed)
  await navigator.serviceWorker.register('/worker.js')
  void navigator.storage?.persist?.()
}
let installed: Promise<Lack | undefined> | undefined
/** Runs once per page. Offline, the installed version is used. */
export const startOffline = () => (installed ??= install().catch(() => undefined))
/** Free storage for photos and steps, bytes; undefined if the browser does not report it. */
export const roomLeft = async (): Promise<number | undefined> => {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {}
  return quota === undefined || usage === undefined ? undefined : quota - usage
}
