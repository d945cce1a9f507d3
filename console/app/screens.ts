import type { ComponentType } from 'react'
import { later } from './later.tsx'

type Screen = { default: ComponentType }
/** What an area brings: its screens by the path of their menu. */
export type Screens = Record<string, () => Promise<Screen>>

type Area = { screens: Screens; fixedScreens?: Screens }
const areas = import.meta.glob<Area>('../areas/*/index.ts', { eager: true })

const entries = (part: 'screens' | 'fixedScreens') => Object.values(areas).flatMap((area) => Object.entries(area[part] ?? {}))

/** Screens by path, letter case aside (ruling 4). */
export const screens = Object.fromEntries(entries('screens').map(([path, load]) => [path.toLowerCase(), later(load)]))

/** Fetches the screen of an address while it is not yet known whether it may be seen. What fails is told when it is shown. */
export const fetchScreen = async (address: string) => {
  await screens[address.split('?')[0]!.toLowerCase()]?.fetch().catch(() => undefined)
}

/** Screens of everybody who is signed in, whatever his menus. */
export const fixed = Object.fromEntries(entries('fixedScreens').map(([path, load]) => [path, later(load)]))
