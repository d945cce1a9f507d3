import type { ComponentType } from 'react'
import { lazyScreen } from './lazyScreen.tsx'

type Screen = { default: ComponentType }
/** The screens of an area by the path of their menu. */
export type Screens = Record<string, () => Promise<Screen>>
export type Area = { screens: Screens; fixedScreens?: Screens }

/** Screens by path in lower case: paths ignore letter case (ruling 4). */
export const screens: Record<string, ReturnType<typeof lazyScreen>> = {}
/** Screens that need a session but no menu. */
export const fixed: Record<string, ReturnType<typeof lazyScreen>> = {}

/** Registers the screens of all areas, before the shell renders. */
export const registerScreens = (areas: readonly Area[]) => {
  for (const area of areas) {
    for (const [path, load] of Object.entries(area.screens)) screens[path.toLowerCase()] = lazyScreen(load)
    for (const [path, load] of Object.entries(area.fixedScreens ?? {})) fixed[path] = lazyScreen(load)
  }
}

/** Prefetches the code of a screen. Errors are ignored here: the screen reports them when it shows. */
export const fetchScreen = async (address: string) => {
  await screens[address.split('?')[0]!.toLowerCase()]?.fetch().catch(() => undefined)
}
