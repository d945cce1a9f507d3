import type { ComponentType } from 'react'
import { type Menu, menus } from '../../contract/menus.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Screens } from '../shell/screens.ts'
import type { ListProps } from './ResourceList.tsx'
import type { SettingsOptions } from './SettingsForm.tsx'

const pathsOf = (menu: Menu, above = ''): [code: string, path: string][] => {
  const path = `${above}/${menu.path.replace(/^\//, '')}`
  return [[menu.code, path], ...(menu.children ?? []).flatMap((child) => pathsOf(child, path))]
}

/** Parts of lists that areas provide. `main/screens.ts` registers them before the shell renders. */
export const parts: { TenantSelect: ComponentType } = { TenantSelect: () => null }

export type PlainOptions<R extends Resource> = Pick<ListProps<R>, 'filters' | 'link' | 'undo' | 'readOnly'> & {
  /** The platform's own records: there is no tenant to choose. */
  ofPlatform?: true
}
/** A screen that is the list of a resource: `screens = { '/path': list(post, ['PostName', 'Status']) }`. */
export const list =
  <R extends Resource>(r: R, columns: (keyof R['fields'] & string)[], options: PlainOptions<R> = {}) =>
  async () => ({ default: (await import('./PlainList.tsx')).plainList(r, columns, options) })

/** A screen that is the form of settings. */
export const settingsForm =
  (s: Settings, options: SettingsOptions = {}) =>
  async () => ({ default: (await import('./SettingsForm.tsx')).settingsScreen(s, options) })

/** The screens of resources that name their columns, at the paths of their menus. */
export const plainScreens = (resources: readonly Resource[]): Screens => {
  const paths = new Map(menus.flatMap((menu) => pathsOf(menu)))
  return Object.fromEntries(resources.flatMap((r) => (r.columns ? [[paths.get(r.permission)!, list(r, [...r.columns])]] : [])))
}
