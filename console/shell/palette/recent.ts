export type Entry = { to: string; title: string; kind: string; hint?: string }

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

/** Matches titles that contain every word. Titles that start with the text come first. */
export const matching = <T extends { title: string; hint?: string }>(entries: readonly T[], typed: string): T[] => {
  const parts = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const text = (e: T) => `${e.title} ${e.hint ?? ''}`.toLocaleLowerCase()
  const begins = (e: T) => (parts[0] && e.title.toLocaleLowerCase().startsWith(parts[0]) ? 0 : 1)
  return entries.filter((e) => parts.every((part) => text(e).includes(part))).sort((a, b) => begins(a) - begins(b))
}
