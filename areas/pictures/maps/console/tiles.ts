// Tiles of the company's map server, fetched through our own server.
import { createContext, useContext } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { queryString, requestBytes } from '../../../../console/session/request.ts'
import { type DrawnLayer, mapCalls, type TileSource } from '../contract.ts'

export type Load = (spot: { Z: number; X: number; Y: number }, signal: AbortSignal) => Promise<ArrayBuffer>
/** A map server, and how to load its tiles without a session. */
export type Tiles = TileSource & { load?: Load }

/** Map server and layers of screens for viewers without an account. */
export const GivenTiles = createContext<{ tiles: Tiles | undefined; layers: readonly DrawnLayer[] } | undefined>(undefined)

/** The map server of the caller's company; undefined without one. Maps wait for it, so that they do not move during use. */
export const useTiles = (): { tiles: Tiles | undefined; isPending: boolean } => {
  const given = useContext(GivenTiles)
  const { data, isPending } = useCall(mapCalls.tiles, { of: ['mapTiles', 'enterprise'], enabled: !given })
  return given ? { tiles: given.tiles, isPending: false } : { tiles: data ?? undefined, isPending }
}

/** Concurrent tile requests. The browser runs six requests at a time; the others are for the screen. */
const mostAtOnce = 4
type Waiting = { start: () => void; signal: AbortSignal }
let running = 0
const queue: Waiting[] = []
const next = () => {
  running--
  for (let one = queue.shift(); one; one = queue.shift()) if (!one.signal.aborted) return one.start()
}
const turn = (signal: AbortSignal) =>
  new Promise<void>((done) => {
    const start = () => {
      running++
      done()
    }
    if (running < mostAtOnce) start()
    else queue.push({ start, signal })
  })

/** The bytes of one tile. @throws Fault */
export const loadTile = async ({ Mark, load }: Tiles, Z: number, X: number, Y: number, signal: AbortSignal): Promise<ArrayBuffer> => {
  await turn(signal)
  try {
    signal.throwIfAborted()
    if (load) return await load({ Z, X, Y }, signal)
    return await requestBytes(`${mapCalls.tile.path}${queryString({ Z, X, Y, Mark })}`, signal)
  } finally {
    next()
  }
}
