// The land of the built-in map: no borders, names or roads, and no external request.
import { feature } from 'topojson-client'
import landUrl from 'world-atlas/land-50m.json?url'
import { onOneMap } from './onOneMap.ts'

type Topology = Parameters<typeof feature>[0]
export type Land = { type: 'FeatureCollection'; features: { geometry: { coordinates: number[][][][] } }[] }

let loaded: Promise<Land> | undefined
const load = async (): Promise<Land> => {
  const answer = await fetch(landUrl)
  if (!answer.ok) throw new Error(`The land is missing: ${answer.status}`)
  const topology = (await answer.json()) as Topology
  const land = feature(topology, topology.objects.land!) as unknown as Land
  for (const { geometry } of land.features) geometry.coordinates = geometry.coordinates.flatMap(onOneMap)
  return land
}
/** Loads once. After a failure the next map retries. */
export const readLand = (): Promise<Land> =>
  (loaded ??= load().catch((error) => {
    loaded = undefined
    throw error
  }))
