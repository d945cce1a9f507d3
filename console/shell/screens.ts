import type { ComponentType } from 'react'
import { lazyScreen } from './lazyScreen.tsx'

type Screen = { default: ComponentType }
/** What an area brings: its screens by the path of their menu. */
export type Screens = Record<string, () => Promise<Screen>>
export type Area = { screens: Screens; fixedScreens?: Screens }

/** Screens by path, letter case aside (ruling 4). */
export const screens: Record<string, ReturnType<typeof lazyScreen>> = {}
/** Screens of everybody who is signed in, whatever his menus. */
export const fixed: Record<string, ReturnType<typeof lazyScreen>> = {}

/** Makes the screens of areas known, before the shell is drawn. */
export const registerScreens = (areas: readonly Area[]) => {
  for (const area of areas) {
    for (const [path, load] of Object.entries(area.screens)) screens[path.toLowerCase()] = lazyScreen(load)
    for (const [path, load] of Object.entries(area.fixedScreens ?? {})) fixed[path] = lazyScreen(load)
  }
}

/** Fetches the screen of an address while it is not yet known whether it may be seen. What fails is told when it is shown. */
export const fetchScreen = async (address: string) => {
  await screens[address.split('?')[0]!.toLowerCase()]?.fetch().catch(() => undefined)
}
