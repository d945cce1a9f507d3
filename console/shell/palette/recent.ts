import { fold } from '../../../contract/fold.ts'

/** `also`: synonyms to search by. */
export type Entry = { to: string; title: string; kind: string; hint?: string; also?: string }

const most = 8
const place = (userId: number) => `penstock.recent.${userId}`

/** Recent choices, newest first. */
export const recent = (userId: number): Entry[] => {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(place(userId)) ?? '[]')
    return Array.isArray(list)
      ? list.filter((e): e is Entry => typeof e?.to === 'string' && e.to.startsWith('/') && typeof e.title === 'string')
      : []
  } catch {
    return []
  }
}
export const remember = (userId: number, entry: Entry) =>
  localStorage.setItem(place(userId), JSON.stringify([entry, ...recent(userId).filter((e) => e.to !== entry.to)].slice(0, most)))

/** Matches entries that contain every word in title, hint or synonyms. The title itself comes first, then those that start with the text. */
export const matching = <T extends { title: string; hint?: string; also?: string }>(entries: readonly T[], typed: string): T[] => {
  const parts = typed.split(/\s+/).map(fold).filter(Boolean)
  const whole = fold(typed)
  const rank = (e: T) => {
    const title = fold(e.title)
    if (title === whole) return 0
    if (title.startsWith(whole)) return 1
    if (parts.every((part) => title.includes(part))) return 2
    return [e.hint, e.also].some((text = '') => fold(text).includes(whole)) ? 3 : 4
  }
  const text = (e: T) => fold(`${e.title} ${e.hint ?? ''} ${e.also ?? ''}`)
  return entries.filter((e) => parts.every((part) => text(e).includes(part))).sort((a, b) => rank(a) - rank(b))
}
