import { type Language, nameFields } from '../../../../contract/languages.ts'
import type { MenuEntry } from '../../../../contract/menu-entries.ts'
import { addressOf, type Menu, menus } from '../../../../contract/menus.ts'
import { word } from '../../../../server/http/words.ts'

/** A row of the table: changes of a built-in menu, or a link of the platform. */
export type Arranged = {
  Id: number
  ParentId: number | null
  MenuEncoding: string
  NameEn: string | null
  NameZh: string | null
  NameEs: string | null
  NameJa: string | null
  Icon: string | null
  Sort: number | null
  IsVisible: number | null
  InternalAndExternalLink: string | null
}

type Place = { menu: Menu; id: number; parent: number; path: string; sort: number }
const idOf = (m: Menu) => Number(m.code.slice(1))
const places = (list: readonly Menu[], parent = 0, path = ''): Place[] =>
  list.flatMap((menu, i) => {
    const own = addressOf(menu, path)
    return [{ menu, id: idOf(menu), parent, path: own, sort: (i + 1) * 10 }, ...places(menu.children ?? [], idOf(menu), own)]
  })
const standard = places(menus)
/** Built-in menus, by Id. */
export const builtIn: ReadonlyMap<number, Place> = new Map(standard.map((p) => [p.id, p]))

const ownName = (row: Arranged | undefined, language: Language) => row?.[nameFields[language]] || undefined

const entryOf = (place: Place | undefined, row: Arranged | undefined, language: Language): MenuEntry => {
  const m = place?.menu
  return {
    Id: place?.id ?? row!.Id,
    ParentId: row ? (row.ParentId ?? 0) : place!.parent,
    MenuEncoding: m?.code ?? row!.MenuEncoding,
    MenuName: ownName(row, language) ?? (m ? word(language, `menu.${m.code}`) : (row!.NameEn ?? row!.MenuEncoding)),
    NameEn: row?.NameEn ?? null,
    NameZh: row?.NameZh ?? null,
    NameEs: row?.NameEs ?? null,
    NameJa: row?.NameJa ?? null,
    Icon: row?.Icon ?? m?.icon ?? '',
    RoutingAddress: place?.path ?? `/link/${row!.Id}`,
    FrontComponent: !m ? '' : m.children ? 'Layout' : place!.path.slice(1) || 'home',
    Redirect: '',
    MenuType: m?.children ? 0 : 1,
    IsVisible: row?.IsVisible ?? (m?.hidden ? 0 : 1),
    OpenWith: m ? 1 : 3,
    InternalAndExternalLink: row?.InternalAndExternalLink ?? '',
    ModuleType: 1,
    Sort: row?.Sort ?? place?.sort ?? 9999,
    BuiltIn: m !== undefined,
  }
}

/** Every menu at its current position, siblings in order. */
export const arrangedMenus = (rows: readonly Arranged[], language: Language): MenuEntry[] => {
  const byId = new Map(rows.map((row) => [row.Id, row]))
  const links = rows.filter((row) => !builtIn.has(row.Id))
  return [...standard.map((p) => entryOf(p, byId.get(p.id), language)), ...links.map((row) => entryOf(undefined, row, language))].sort(
    (a, b) => a.Sort - b.Sort || a.Id - b.Id,
  )
}

type Item = Omit<MenuEntry, 'NameEn' | 'NameZh' | 'NameEs' | 'NameJa' | 'ModuleType' | 'Sort' | 'BuiltIn'> & {
  /** The platform's names, which override the console's words. */
  Names?: Partial<Record<Language, string>>
  HasChildren: boolean
  MenuChildren: Item[]
}

/** The part of the tree for a user with these codes. Users who see a directory also see its links. */
export const menuTree = (rows: readonly Arranged[], may: ReadonlySet<string>, language: Language, hidden = new Set<string>()): Item[] => {
  const entries = arrangedMenus(rows, language)
  const shown = entries.filter((e) => e.MenuType === 1 && e.OpenWith === 1 && e.IsVisible === 1 && may.has(e.MenuEncoding))
  const below = (parent: number): Item[] =>
    entries
      .filter((e) => e.ParentId === parent)
      .flatMap((e) => {
        const children = below(e.Id)
        const screens = children.filter((c) => c.OpenWith !== 3)
        if (e.BuiltIn && !may.has(e.MenuEncoding) && !screens.length) return []
        const { NameEn, NameZh, NameEs, NameJa, ModuleType: _, Sort: __, BuiltIn: ___, ...item } = e
        const names = Object.entries({ en: NameEn, zh: NameZh, es: NameEs, ja: NameJa }).filter(([, name]) => name)
        // The URL of a directory opens its screens, whichever group shows them.
        const lies = (c: MenuEntry) => c.RoutingAddress.startsWith(`${e.RoutingAddress}/`)
        const first =
          shown.find((c) => c.ParentId === e.Id && lies(c)) ?? shown.find(lies) ?? screens.find((c) => c.IsVisible) ?? screens[0]
        return [
          {
            ...item,
            ...(hidden.has(e.MenuEncoding) ? { IsVisible: 0 } : {}),
            Redirect: e.MenuType === 0 && first ? first.RoutingAddress : '',
            ...(names.length ? { Names: Object.fromEntries(names) } : {}),
            HasChildren: children.length > 0,
            MenuChildren: children,
          },
        ]
      })
  return below(0)
}
