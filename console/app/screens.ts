import { type ComponentType, lazy } from 'react'

type Screen = { default: ComponentType }
/** What an area brings: its screens by the path of their menu. */
export type Screens = Record<string, () => Promise<Screen>>

const areas = import.meta.glob<{ screens: Screens }>('../areas/*/index.ts', { eager: true })

const all = Object.entries(Object.assign({}, ...Object.values(areas).map((area) => area.screens)) as Screens)

/** Screens by path, letter case aside (ruling 4). */
export const screens: Record<string, ComponentType> = Object.fromEntries(all.map(([path, load]) => [path.toLowerCase(), lazy(load)]))
