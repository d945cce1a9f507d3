import type { PlaylistEntry } from '../../televisions/contract.ts'

/** Whether an entry is due at this hour; its end may be on the next day. */
export const isDue = ({ From = 0, To = 24 }: PlaylistEntry, hour: number) =>
  From <= To ? hour >= From && hour < To : hour >= From || hour < To

/** The position of the next entry; undefined if none is due. */
export const following = (playlist: readonly PlaylistEntry[], at: number, hour: number): number | undefined => {
  const order = playlist.map((_, i) => (at + 1 + i) % playlist.length)
  return order.find((i) => isDue(playlist[i]!, hour))
}
