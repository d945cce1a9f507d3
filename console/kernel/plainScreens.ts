import type { ComponentType } from 'react'
import { type Menu, menus } from '../../contract/menus.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Screens } from '../shell/screens.ts'

const pathsOf = (menu: Menu, above = ''): [code: string, path: string][] => {
  const path = `${above}/${menu.path.replace(/^\//, '')}`
  return [[menu.code, path], ...(menu.children ?? []).flatMap((child) => pathsOf(child, path))]
}

/** The screens of resources that name their columns, at the paths of their menus; `Tenants` chooses a tenant. */
export const plainScreens = (resources: readonly Resource[], Tenants: ComponentType): Screens => {
  const paths = new Map(menus.flatMap((menu) => pathsOf(menu)))
  return Object.fromEntries(
    resources
      .filter(({ columns }) => columns)
      .map((r) => [paths.get(r.permission)!, async () => ({ default: (await import('./PlainList.tsx')).plainList(r, Tenants) })]),
  )
}
