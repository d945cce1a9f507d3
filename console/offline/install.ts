// Puts the files of my orders into the browser's cache, so that the console starts without signal.
import { useSession } from '../session/session.ts'
import { language } from '../words/words.ts'
import { isBuilt } from './built.ts'
import { keepSession } from './kept.ts'
import { offlineOwner } from './mark.ts'
import { ownerNow } from './owner.ts'
import { startSending } from './queue.ts'

const cacheName = 'penstock-build'
type Listed = { files: string[]; languages: Record<string, string[]> }

/** Why orders are not available without signal here. */
export type Lack = 'insecure' | 'off'

/** Keeps a file of the build. A hotel's sign-in page answers everything with its own. */
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
  // Last, once all that it names is there. It has the same name in each version.
  await add(cache, '/console.html')
  const current = new Set([...wanted, '/console.html'])
  for (const path of held) if (!current.has(path)) await cache.delete(path)
}

const install = async (): Promise<Lack | undefined> => {
  startSending()
  const keep = () => keepSession().catch(() => undefined)
  await keep()
  // As one of his roles, or with a new password, his token is another one.
  useSession.subscribe((now, before) => {
    if (now.readWith !== before.readWith && ownerNow() && ownerNow() === offlineOwner()) void keep()
  })
  if (!isSecureContext || !('serviceWorker' in navigator)) return 'insecure'
  const answer = await fetch('/offline.json')
  const listed = answer.ok ? ((await answer.json()) as Listed | null) : null
  if (!listed) {
    // Turned off: the server's worker removes itself.
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.update().catch(() => undefined)
    return 'off'
  }
  await fill(listed)
  await navigator.serviceWorker.register('/worker.js')
  void navigator.storage?.persist?.()
}
let installed: Promise<Lack | undefined> | undefined
/** Once a page. Without signal nothing is missing: what was installed before serves. */
export const startOffline = () => (installed ??= install().catch(() => undefined))
/** Bytes that are left for photos and steps, where the browser tells. */
export const roomLeft = async (): Promise<number | undefined> => {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {}
  return quota === undefined || usage === undefined ? undefined : quota - usage
}
