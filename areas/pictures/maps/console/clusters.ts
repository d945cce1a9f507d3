// Clusters places that are close together on the screen into one mark. Pure.
import type { Condition } from '../../../../console/theme/State.tsx'
import { type Camera, onScreen, type Size, type Spot, scaleOf } from './mercator.ts'

/** none: without gateways. unknown: the reader may see neither gateways nor alarms. */
export type Look = Condition | 'none' | 'unknown'
export type Place = Spot & { id: number; name: string; is: Look }
export type Cluster = Spot & { key: string; places: Place[]; is: Look }

const severity: readonly Look[] = ['unknown', 'none', 'normal', 'offline', 'notice', 'warning', 'alarm']
/** Urgent states sort first. */
export const urgency = (is: Look) => -severity.indexOf(is)
export const worst = (places: readonly Place[]): Look => severity[Math.max(0, ...places.map(({ is }) => severity.indexOf(is)))]!

const cellPixels = 56
/** Clusters for an integer zoom level, so that they stay stable during a pan. Cells are fixed to the world, not to the screen. */
export const clustered = (places: readonly Place[], zoom: number): Cluster[] => {
  const cells = scaleOf(Math.floor(zoom)) / cellPixels
  const groups = Map.groupBy(places, ({ x, y }) => `${Math.floor(x * cells)}/${Math.floor(y * cells)}`)
  return [...groups].map(([cell, group]) => ({
    key: group.length === 1 ? `p${group[0]!.id}` : `${Math.floor(zoom)}/${cell}`,
    x: group.reduce((sum, { x }) => sum + x, 0) / group.length,
    y: group.reduce((sum, { y }) => sum + y, 0) / group.length,
    places: group,
    is: worst(group),
  }))
}

const edge = 30
/** The spots on the screen, with their pixels. */
export const inView = <T extends Spot>(spots: readonly T[], camera: Camera, size: Size, margin = edge) =>
  spots.flatMap((of) => {
    const at = onScreen(camera, size, of)
    const seen = at.x > -margin && at.y > -margin && at.x < size.width + margin && at.y < size.height + margin
    return seen ? [{ of, at }] : []
  })
