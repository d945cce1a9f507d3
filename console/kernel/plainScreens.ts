import type { ComponentType, ReactNode } from 'react'
import { addressOf, type Menu, menus } from '../../contract/menus.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Props as HeadProps } from '../shell/DetailHead.tsx'
import type { Lazy } from '../shell/lazyScreen.tsx'
import type { Screens } from '../shell/screens.ts'
import type { Words } from '../words/words.ts'
import type { ActionIcon } from './actionIcons.tsx'
import type { Shown } from './api.ts'
import type { FormProps } from './ResourceForm.tsx'
import type { ListProps } from './ResourceList.tsx'
import type { SettingsOptions } from './SettingsForm.tsx'

const pathsOf = (menu: Menu, above = ''): [code: string, path: string][] => {
  const path = addressOf(menu, above)
  return [[menu.code, path], ...(menu.children ?? []).flatMap((child) => pathsOf(child, path))]
}

const paths = new Map(menus.flatMap((menu) => pathsOf(menu)))
/** URL of the screen of a menu code. */
export const menuPath = (code: string) => paths.get(code)

/** Parts of lists that areas provide. `main/screens.ts` registers them before the shell renders. */
export const parts: { TenantSelect: ComponentType } = { TenantSelect: () => null }

/** Position of a list: on its own page, on another page with a URL prefix, or below a record that its rows refer to. */
export type Placed = { above?: { of: Resource; Id: number }; prefix?: string }
export type DialogProps<R extends Resource> = { row: Shown<R>; close: () => void }
/** For a dialog of the list: the tenant that new rows belong to. */
export type ToolProps = { tenant: number | undefined; close: () => void }
/** Row action besides the acts of the resource: a link, a dialog, a list of referring records, or a call. */
export type RowAction<R extends Resource> = {
  /** Without an icon, the action appears only in the row's menu. */
  icon?: ActionIcon
  /** Required permission. */
  needs?: string
  danger?: true
  when?: (row: Shown<R>) => boolean
} & (
  | { to: (row: Shown<R>) => string }
  | { dialog: Lazy<DialogProps<R>> }
  | { panel: Lazy<Placed>; prefix: string }
  | { run: (row: Shown<R>, t: Words) => unknown }
)

type Looks<R extends Resource> = Pick<ListProps<R>, 'cells' | 'titleOf'> & Pick<FormProps<R>, 'inputs' | 'refine' | 'below'>
export type PlainOptions<R extends Resource> = Pick<
  ListProps<R>,
  'filters' | 'link' | 'links' | 'wraps' | 'undo' | 'readOnly' | 'cards' | 'onActed' | 'actsOn' | 'states'
> &
  Looks<R> & {
    /** Rows of all tenants, without a tenant choice. */
    anyTenant?: true
    /** With a single company, leaves out rows of the platform. */
    ofCompany?: true
    /** By label key. */
    actions?: Record<string, RowAction<R>>
    /** Buttons next to the search, by label key. A small one shows only its icon. */
    buttons?: Record<string, { icon: ActionIcon; needs: string; small?: true; to?: string; dialog?: Lazy<ToolProps> }>
    /** Replaces the form that adds a row. */
    create?: Lazy<ToolProps>
    /** Replaces the form. */
    form?: Lazy<{ row: Shown<R> | undefined; tenant: number | undefined; close: () => void }>
    /** Opens after a record has been added. */
    added?: { needs: string; dialog: Lazy<DialogProps<R>> }
    /** Content around the list. */
    around?: Lazy<{ children: ReactNode }>
    /** Menus that the page links to. */
    see?: readonly string[]
    /** Cells and inputs whose code is loaded with the list. */
    looks?: () => Promise<Looks<R>>
  }
/** A screen that is the list of a resource: `screens = { '/path': list(post, ['PostName', 'Status']) }`. */
export const list =
  <R extends Resource>(r: R, columns: (keyof R['fields'] & string)[], { looks, ...options }: PlainOptions<R> = {}): Lazy<Placed> =>
  async () => {
    const [{ plainList }, more] = await Promise.all([import('./PlainList.tsx'), looks?.()])
    return { default: plainList(r, columns, { ...options, ...more }) }
  }

/** A screen that is the form of settings. */
export const settingsForm =
  (s: Settings, options: SettingsOptions = {}) =>
  async () => ({ default: (await import('./SettingsForm.tsx')).settingsScreen(s, options) })

/** A screen with the tree of a resource; `beside` shows details of the selected record. */
export const tree = (r: Resource, beside?: Lazy<{ id: number }>) => async () => ({
  default: (await import('./tree/TreePage.tsx')).treePage(r, beside),
})

export type DetailOptions<R extends Resource> = {
  /** Tabs of the record, by label key: lists of referring records, or components that take the record. */
  tabs?: Record<string, Lazy<Placed> | Lazy<{ row: Shown<R> }>>
  /** Fields above the tabs. */
  facts?: readonly (keyof R['fields'] & string)[]
  /** Fields of the first tab, by heading key. */
  sections?: Record<string, readonly (keyof R['fields'] & string)[]>
  states?: ListProps<R>['states']
  /** The head's other parts, and cells, whose code is loaded with the page. */
  looks?: () => Promise<DetailLooks<R>>
}
export type DetailLooks<R extends Resource> = Pick<ListProps<R>, 'cells'> & {
  head?: (row: Shown<R>, t: Words) => Partial<Pick<HeadProps, 'belongs' | 'figures'>>
  Actions?: ComponentType<{ row: Shown<R> }>
  /** Below the head. */
  Notice?: ComponentType<{ row: Shown<R> }>
}
/** A screen for the record whose Id is in the URL: state and acts in the header, fields, and a tab per part. */
export const detail =
  <R extends Resource>(r: R, { looks, ...options }: DetailOptions<R> = {}): Lazy<{ of?: number }> =>
  async () => {
    const [{ detailPage }, more] = await Promise.all([import('./DetailPage.tsx'), looks?.()])
    return { default: detailPage(r, { ...options, ...more }) }
  }

/** One URL for a list and, with an Id, the page of a record. */
export const orDetail =
  (list: Lazy, page: Lazy): Lazy =>
  async () => {
    const [part, List, Page] = await Promise.all([import('./DetailPage.tsx'), list(), page()])
    return { default: part.orDetail(List.default, Page.default) }
  }

/** The list of a resource, with links to the page of each record. */
const listAndDetail = (r: Resource, columns: string[], resources: readonly Resource[]): Lazy => {
  const of = resources.filter(({ name }) => r.parts!.includes(name))
  const tabs = Object.fromEntries(of.map((part) => [`menu.${part.permission}`, list(part, [...part.columns!])]))
  const link = ({ Id }: { Id: number }) => `${menuPath(r.permission)}?Id=${Id}`
  return orDetail(list(r, columns, { link }), detail(r, { tabs }))
}

/** Screens of resources with `columns`, at the paths of their menus. */
export const plainScreens = (resources: readonly Resource[]): Screens => {
  const screenOf = (r: Resource) => (r.tree ? tree(r) : r.parts ? listAndDetail(r, [...r.columns!], resources) : list(r, [...r.columns!]))
  return Object.fromEntries(resources.flatMap((r) => (r.columns ? [[menuPath(r.permission)!, screenOf(r)]] : [])))
}
